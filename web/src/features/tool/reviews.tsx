import type { Review, Tool } from '@lendtools/contracts';
import { Button, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { lazy } from 'react';
import { useUser } from '../../api/session-slice.ts';
import { formatMonth } from '../../rental/format.ts';
import { Face } from '../../ui/face.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { RatingStars } from '../../ui/rating-stars.tsx';
import classes from './tool-page.module.css';
import { useToolReviewsInfiniteQuery } from './tool-page-api.ts';

const ReportButton = lazy(() => import('../../ui/report/report-button.tsx'));

function ReviewCard({ review, owner }: { review: Review; owner: string }) {
  const isMember = Boolean(useUser());
  const { id, first_name, last_name, city, image } = review.user;
  const name = `${first_name} ${last_name}`.trim();
  return (
    <li className={classes.review}>
      <Group gap="sm" wrap="nowrap">
        <Face name={`${first_name} ${last_name}`} image={image} />
        <div style={{ flex: 1 }}>
          <Text fw={650}>
            {id ? (
              <PersonLink person={{ ...review.user, id }} name={name} c="inherit" inherit />
            ) : (
              name
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {city} · {formatMonth(review.createdAt)}
          </Text>
        </div>
        {isMember && (
          <Part>
            <ReportButton about="review" id={review.id} what={`the review of ${name}`} isSmall />
          </Part>
        )}
      </Group>
      <Group mt="xs" mb={4}>
        <RatingStars value={review.rating} />
      </Group>
      <Text className={classes.prose}>{review.comment}</Text>
      {review.publishedAt === null && (
        <Text size="sm" c="dimmed" mt={4}>
          Only you see your review yet.
        </Text>
      )}
      {review.reply && (
        <Text mt="xs" className={`${classes.prose} ${classes.reply}`}>
          <Text span inherit fw={650}>
            {owner} replied:
          </Text>{' '}
          {review.reply.text}
        </Text>
      )}
    </li>
  );
}

/** The number of reviews per star count, because a mean hides the one bad rental among ten good ones. */
function Distribution({ tool, counts }: { tool: Tool; counts: number[] }) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  return (
    <div className={classes.distribution}>
      <div>
        <Text className={classes.mean}>{tool.rating.toFixed(1)}</Text>
        <RatingStars value={tool.rating} />
        <Text size="sm" c="dimmed">
          {all} {all === 1 ? 'review' : 'reviews'}
        </Text>
      </div>
      <ul className={classes.bars}>
        {[5, 4, 3, 2, 1].map((stars) => {
          const count = counts[stars - 1] ?? 0;
          return (
            <li key={stars}>
              <span>
                {stars} <VisuallyHidden>{stars === 1 ? 'star' : 'stars'}:</VisuallyHidden>
              </span>
              <span className={classes.track} aria-hidden>
                <span style={{ width: `${(100 * count) / all}%` }} />
              </span>
              <span className="tabular">{count}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export function Reviews({ tool }: { tool: Tool }) {
  const reviews = useToolReviewsInfiniteQuery(tool.id);
  const counts = reviews.data?.pages[0]?.counts;
  const list = reviews.data?.pages.flatMap((page) => page.reviews);
  return (
    <section>
      <Title order={2} mb="md">
        Reviews
      </Title>
      {reviews.isLoading && (
        <Stack gap="md" aria-hidden>
          <Skeleton h={88} />
          <Skeleton h={88} />
        </Stack>
      )}
      {reviews.isError && !list && (
        <ErrorState error={reviews.error} onRetry={() => void reviews.refetch()} />
      )}
      {list?.length === 0 && <Text c="dimmed">No reviews yet.</Text>}
      {counts && <Distribution tool={tool} counts={counts} />}
      <ul className={classes.reviews}>
        {list?.map((review) => (
          <ReviewCard key={review.id} review={review} owner={tool.user.first_name} />
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
