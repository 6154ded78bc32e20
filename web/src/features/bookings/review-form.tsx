import type { Booking, Review } from '@lendtools/contracts';
import { Button, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useHashTarget } from '../../lib/use-hash-target.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { RatingInput } from '../../ui/rating-input.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import classes from './booking-facts.module.css';
import { ReviewOfRenter, ToolReview } from './booking-reviews.tsx';
import { useAddReviewMutation, useBookingReviewsQuery } from './bookings-api.ts';
import { hasNoReply, ReplyForm } from './reply-form.tsx';
import { appearInWords } from './review-words.ts';
import { useThreadCalls } from './use-thread.ts';

interface ReviewFormProps {
  booking: Booking;
  userId: string;
  review: Review | undefined;
}

function ReviewForm({ booking, userId, review }: ReviewFormProps) {
  const owner = booking.toolOwner.first_name;
  const [draft, setDraft, clearDraft] = useDraft(`review:${userId}:${booking.id}`, {
    rating: review?.rating ?? 0,
    ownerRating: review?.ownerRating ?? 0,
    comment: review?.comment ?? '',
  });
  const { rating, ownerRating = 0, comment } = draft;
  const [tried, setTried] = useState(false);
  const card = useHashTarget<HTMLFormElement>('review');
  const [addReview, { isLoading }] = useAddReviewMutation();
  const incomplete = rating === 0 || comment.trim() === '';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (incomplete) return;
    const { data, error } = await addReview({
      userId,
      bookingId: booking.id,
      toolId: booking.rental_id,
      rating,
      ownerRating,
      comment: comment.trim(),
    });
    if (error) return toastError(errorMessage(error));
    clearDraft();
    toastSuccess(data.message);
  };

  return (
    <form
      ref={card}
      id="review"
      className={classes.review}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <Title order={2} fz="h3">
        {review ? 'Your review' : `How was ${booking.name}?`}
      </Title>
      <Stack gap="sm" mt="sm">
        <RatingInput
          value={rating}
          onChange={(stars) => setDraft({ ...draft, rating: stars })}
          error={tried && rating === 0 ? 'Please choose 1 to 5 stars' : undefined}
        />
        <Textarea
          aria-label="Your review"
          placeholder={`Was it in good shape? How was ${owner}?`}
          value={comment}
          onChange={(event) => setDraft({ ...draft, comment: event.currentTarget.value })}
          error={tried && comment.trim() === '' ? 'Please enter your review' : undefined}
          maxLength={2000}
          autosize
          minRows={3}
          maxRows={10}
        />
        <RatingInput
          label={`How was ${owner}? (optional)`}
          value={ownerRating}
          onChange={(stars) => setDraft({ ...draft, ownerRating: stars })}
        />
        <Text size="sm" c="dimmed">
          {review ? 'It appears' : 'Your review appears'} {appearInWords(booking)}.
          {booking.reviews?.byOwner && ` ${owner} has written one about you.`}
        </Text>
        <Button type="submit" loading={isLoading} style={{ alignSelf: 'flex-start' }}>
          {review ? 'Change your review' : 'Send a review'}
        </Button>
      </Stack>
    </form>
  );
}

/** What the owner wrote about the renter, once it has appeared. */
function ReviewOfMe({ booking, userId }: { booking: Booking; userId: string }) {
  const { renterReview, id: bookingId } = booking;
  if (!renterReview) return null;
  return (
    <ReviewOfRenter
      booking={booking}
      review={renterReview}
      title={`${booking.toolOwner.first_name}’s review of you`}
    >
      {hasNoReply(renterReview) && (
        <ReplyForm userId={userId} bookingId={bookingId} reviewId={renterReview.id} />
      )}
    </ReviewOfRenter>
  );
}

function MyReview({ booking, userId, review }: ReviewFormProps) {
  const { allowedActions, booking_status } = booking;
  if (allowedActions.includes('review'))
    return (
      <ReviewForm key={review?.id ?? 'new'} booking={booking} userId={userId} review={review} />
    );
  if (review) return <ToolReview booking={booking} review={review} title="Your review" />;
  return (
    <Text c="dimmed" className={classes.review}>
      {booking_status === 'Completed'
        ? 'The time to review this rental is over.'
        : 'You can send a review once the rental has started.'}
    </Text>
  );
}

export function ReviewBox({ booking, userId }: { booking: Booking; userId: string }) {
  const { data: reviews, error, refetch } = useBookingReviewsQuery(booking.id);
  // Wait for the message thread above: when it loads, it moves the stars, and a tap would miss.
  const { isLoading: willMove } = useThreadCalls(booking.id);
  if (willMove || booking.booking_status === 'Cancelled') return null;
  return (
    <>
      {reviews && <MyReview booking={booking} userId={userId} review={reviews[0]} />}
      {!reviews && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!reviews && !error && <Skeleton h={240} />}
      <ReviewOfMe booking={booking} userId={userId} />
    </>
  );
}
