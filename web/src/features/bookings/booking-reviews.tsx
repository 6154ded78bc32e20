import type { Booking, Review } from '@lendtools/contracts';
import { Group, Stack, Text, Title } from '@mantine/core';
import { formatDate } from '../../rental/format-instant.ts';
import { RatingStars } from '../../ui/rating-stars.tsx';
import classes from './booking-facts.module.css';
import { useBookingReviewsQuery } from './bookings-api.ts';

function ReviewCard({ review }: { review: Review }) {
  const { user, rating, comment, createdAt } = review;
  return (
    <article className={classes.review}>
      <Group justify="space-between" gap="xs">
        <Text fw={650}>
          {user.first_name} {user.last_name}
        </Text>
        <RatingStars value={rating} />
      </Group>
      <Text size="sm" c="dimmed">
        {user.city && `${user.city} · `}
        {formatDate(createdAt)}
      </Text>
      <Text mt="xs" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {comment}
      </Text>
    </article>
  );
}

/** The reviews of a booking. A canceled booking without reviews shows nothing, because it can no longer be reviewed. */
export function BookingReviews({ booking }: { booking: Booking }) {
  const { data: reviews } = useBookingReviewsQuery(booking.id);
  if (!reviews || (reviews.length === 0 && booking.booking_status === 'Cancelled')) return null;
  return (
    <Stack gap="sm" component="section" aria-labelledby="reviews-title">
      <Title order={2} fz="h3" id="reviews-title">
        Reviews
      </Title>
      {reviews.length === 0 && <Text c="dimmed">No review of this booking yet.</Text>}
      {reviews.map((review) => (
        <ReviewCard key={review.id} review={review} />
      ))}
    </Stack>
  );
}
