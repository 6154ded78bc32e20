import type { Booking, RenterReview, Review } from '@lendtools/contracts';
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBookingReviewsQuery } from './bookings-api.ts';
import { ReviewCard } from './review-card.tsx';

/** The renter's review of the tool and its owner. */
export function ToolReview({
  booking,
  review,
  title,
  children,
}: {
  booking: Booking;
  review: Review;
  title: string;
  children?: ReactNode;
}) {
  const { rating, ownerRating, comment, createdAt, reply } = review;
  return (
    <ReviewCard
      title={title}
      ratings={[
        [booking.name, rating],
        ...(ownerRating ? [[booking.toolOwner.first_name, ownerRating] as [string, number]] : []),
      ]}
      comment={comment}
      createdAt={createdAt}
      reply={reply}
      replier={booking.toolOwner.first_name}
    >
      {children}
    </ReviewCard>
  );
}

/** The owner's review of the renter. */
export function ReviewOfRenter({
  booking,
  review,
  title,
  children,
}: {
  booking: Booking;
  review: RenterReview;
  title: string;
  children?: ReactNode;
}) {
  const { care, punctuality, communication, comment, createdAt, reply } = review;
  return (
    <ReviewCard
      title={title}
      ratings={[
        ['Care of the tool', care],
        ['Punctuality', punctuality],
        ['Communication', communication],
      ]}
      comment={comment}
      createdAt={createdAt}
      reply={reply}
      replier={booking.user.first_name}
    >
      {children}
    </ReviewCard>
  );
}

function Hint({ publishedAt }: { publishedAt: string | null | undefined }) {
  if (publishedAt !== null) return null;
  return (
    <Text mt="sm" size="sm" c="dimmed">
      Only its author and admins see it yet.
    </Text>
  );
}

/** Both reviews of a booking, for admins. A canceled booking shows nothing, because it can no longer be reviewed. */
export function BookingReviews({ booking }: { booking: Booking }) {
  const { data: reviews } = useBookingReviewsQuery(booking.id);
  const { user, toolOwner, renterReview } = booking;
  if (!reviews || (reviews.length === 0 && booking.booking_status === 'Cancelled')) return null;
  const isEmpty = reviews.length === 0 && !renterReview;
  return (
    <Stack gap="sm" component="section" aria-labelledby="reviews-title">
      <Title order={2} fz="h3" id="reviews-title">
        Reviews
      </Title>
      {isEmpty && <Text c="dimmed">No review of this booking yet.</Text>}
      {reviews.map((review) => (
        <ToolReview
          key={review.id}
          booking={booking}
          review={review}
          title={`${user.first_name}’s review`}
        >
          <Hint publishedAt={review.publishedAt} />
        </ToolReview>
      ))}
      {renterReview && (
        <ReviewOfRenter
          booking={booking}
          review={renterReview}
          title={`${toolOwner.first_name}’s review of ${user.first_name}`}
        >
          <Hint publishedAt={renterReview.publishedAt} />
        </ReviewOfRenter>
      )}
    </Stack>
  );
}
