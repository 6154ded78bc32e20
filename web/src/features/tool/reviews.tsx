import type { Review } from '@lendtools/contracts';
import { Avatar, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { formatMonth } from '../../lib/format.ts';
import { hasImage, imageWidth } from '../../lib/images.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { RatingStars } from '../../ui/rating-stars.tsx';
import classes from './tool-page.module.css';
import { useToolReviewsInfiniteQuery } from './tool-reviews-api.ts';

function ReviewCard({ review }: { review: Review }) {
  const { first_name, last_name, city, image } = review.user;
  const name = `${first_name} ${last_name.slice(0, 1)}.`;
  return (
    <li className={classes.review}>
      <Group gap="sm" wrap="nowrap">
        <Avatar
          src={hasImage(image) ? imageWidth(image, 320) : null}
          name={`${first_name} ${last_name}`}
          color="orange"
          alt=""
        />
        <div>
          <Text fw={650}>{name}</Text>
          <Text size="sm" c="dimmed">
            {city} · {formatMonth(review.createdAt)}
          </Text>
        </div>
      </Group>
      <Group mt="xs" mb={4}>
        <RatingStars value={review.rating} />
      </Group>
      <Text className={classes.prose}>{review.comment}</Text>
    </li>
  );
}

/** What renters said of a tool, newest first. */
export function Reviews({ toolId }: { toolId: string }) {
  const reviews = useToolReviewsInfiniteQuery(toolId);
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
      {list?.length === 0 && (
        <Text c="dimmed">No reviews yet. The first renter’s word will stand here.</Text>
      )}
      <ul className={classes.reviews}>
        {list?.map((review) => (
          <ReviewCard key={review.id} review={review} />
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
