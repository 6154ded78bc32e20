import type { Review } from '@lendtools/contracts';
import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDate } from '../../rental/format-instant.ts';
import { RatingStars } from '../../ui/rating-stars.tsx';
import classes from './booking-facts.module.css';

interface ReviewCardProps {
  title: string;
  /** What was rated, with its stars. */
  ratings: [string, number][];
  comment: string;
  createdAt: string;
  reply: Review['reply'];
  /** The first name of the person who was reviewed. */
  replier: string;
  /** Shown below the text, such as when the review appears. */
  children?: ReactNode;
}

/** One review of a booking, with the reply to it. */
export function ReviewCard({
  title,
  ratings,
  comment,
  createdAt,
  reply,
  replier,
  children,
}: ReviewCardProps) {
  return (
    <article className={classes.review} aria-label={title}>
      <Title order={3} fz="md">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {formatDate(createdAt)}
      </Text>
      <dl className={classes.ratings}>
        {ratings.map(([name, stars]) => (
          <Group key={name} gap="xs">
            <dt>{name}</dt>
            <dd>
              <RatingStars value={stars} />
            </dd>
          </Group>
        ))}
      </dl>
      <Text mt="xs" className={classes.words}>
        {comment}
      </Text>
      {reply && (
        <Text mt="sm" className={classes.reply}>
          <Text span inherit fw={650}>
            {replier} replied:
          </Text>{' '}
          {reply.text}
        </Text>
      )}
      {children}
    </article>
  );
}
