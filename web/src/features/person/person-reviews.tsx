import type { PersonReview, PublicPerson } from '@lendtools/contracts';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy } from 'react';
import { useUser } from '../../api/session-slice.ts';
import { formatMonth } from '../../rental/format.ts';
import { Face } from '../../ui/face.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { RatingStars } from '../../ui/rating-stars.tsx';
import { usePersonReviewsInfiniteQuery } from './person-api.ts';
import classes from './person-page.module.css';

const ReportButton = lazy(() => import('../../ui/report/report-button.tsx'));

function ratingsOf({ rating, ownerRating, parts, toolName }: PersonReview): [string, number][] {
  if (parts)
    return [
      ['Care of the tool', parts.care],
      ['Punctuality', parts.punctuality],
      ['Communication', parts.communication],
    ];
  return [
    [toolName, rating],
    ...(ownerRating ? [['As an owner', ownerRating] as [string, number]] : []),
  ];
}

function ReviewItem({ review, firstName }: { review: PersonReview; firstName: string }) {
  const isMember = Boolean(useUser());
  const { author, toolName, parts, comment, reply, createdAt } = review;
  const name = `${author.first_name} ${author.last_name}`.trim();
  return (
    <li>
      <Group gap="sm" wrap="nowrap">
        <Face name={name} image={author.image} />
        <div style={{ flex: 1 }}>
          <Text fw={650}>
            <PersonLink person={author} name={name} c="inherit" inherit />
          </Text>
          <Text size="sm" c="dimmed">
            {parts && `Lent ${toolName} · `}
            {formatMonth(createdAt)}
          </Text>
        </div>
        {isMember && (
          <Part>
            <ReportButton about="review" id={review.id} what={`the review of ${name}`} isSmall />
          </Part>
        )}
      </Group>
      <Stack gap={4} my="xs">
        {ratingsOf(review).map(([what, stars]) => (
          <Group key={what} gap="xs">
            <RatingStars value={stars} />
            <Text size="sm">{what}</Text>
          </Group>
        ))}
      </Stack>
      <Text className={classes.words}>{comment}</Text>
      {reply && (
        <Text mt="xs" className={`${classes.words} ${classes.reply}`}>
          <Text span inherit fw={650}>
            {firstName} replied:
          </Text>{' '}
          {reply.text}
        </Text>
      )}
    </li>
  );
}

/** The reviews that a person received as an owner or as a renter. */
export function PersonReviews({ person, as }: { person: PublicPerson; as: 'owner' | 'renter' }) {
  const reviews = usePersonReviewsInfiniteQuery({ id: person.id, as });
  const list = reviews.data?.pages.flatMap((page) => page.reviews);
  return (
    <section aria-labelledby={`as-${as}`}>
      <Title order={2} fz="h3" mb="md" id={`as-${as}`}>
        {as === 'owner' ? 'Reviews from renters' : 'Reviews from owners'}
      </Title>
      {reviews.isLoading && (
        <Stack gap="md" role="status" aria-label="loading data">
          <Skeleton h={88} />
          <Skeleton h={88} />
        </Stack>
      )}
      {reviews.isError && !list && (
        <ErrorState error={reviews.error} onRetry={() => void reviews.refetch()} />
      )}
      {list?.length === 0 && <Text c="dimmed">None yet.</Text>}
      <ul className={classes.reviews}>
        {list?.map((review) => (
          <ReviewItem key={review.id} review={review} firstName={person.first_name} />
        ))}
      </ul>
      {reviews.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={reviews.isFetchingNextPage}
          onClick={() => void reviews.fetchNextPage()}
        >
          More reviews
        </Button>
      )}
    </section>
  );
}
