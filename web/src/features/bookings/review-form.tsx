import type { Booking, Review } from '@lendtools/contracts';
import { Button, Stack, Text, Textarea, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useHashTarget } from '../../lib/use-hash-target.ts';
import { RatingInput } from '../../ui/rating-stars.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import classes from './booking-facts.module.css';
import { useAddReviewMutation, useBookingReviewsQuery } from './bookings-api.ts';
import { useThreadCalls } from './use-thread.ts';

interface ReviewFormProps {
  booking: Booking;
  userId: string;
  review: Review | undefined;
}

function ReviewForm({ booking, userId, review }: ReviewFormProps) {
  const [{ rating, comment }, setDraft, clearDraft] = useDraft(`review:${userId}:${booking.id}`, {
    rating: review?.rating ?? 0,
    comment: review?.comment ?? '',
  });
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
          onChange={(stars) => setDraft({ rating: stars, comment })}
          error={tried && rating === 0 ? 'Please choose 1 to 5 stars' : undefined}
        />
        <Textarea
          aria-label="Your review"
          placeholder={`Was it in good shape? How was ${booking.toolOwner.first_name}?`}
          value={comment}
          onChange={(event) => setDraft({ rating, comment: event.currentTarget.value })}
          error={tried && comment.trim() === '' ? 'Please enter your review' : undefined}
          maxLength={2000}
          autosize
          minRows={3}
          maxRows={10}
        />
        <Button type="submit" loading={isLoading} style={{ alignSelf: 'flex-start' }}>
          {review ? 'Change your review' : 'Send a review'}
        </Button>
      </Stack>
    </form>
  );
}

export function ReviewBox({ booking, userId }: { booking: Booking; userId: string }) {
  const { data: reviews } = useBookingReviewsQuery(booking.id);
  // Wait for the message thread above: when it loads, it moves the stars, and a tap would miss.
  const { isLoading: willMove } = useThreadCalls(booking.id);
  if (!reviews || willMove || booking.booking_status === 'Cancelled') return null;
  if (!booking.allowedActions.includes('review')) {
    return (
      <Text c="dimmed" className={classes.review}>
        You can send a review once the rental has started.
      </Text>
    );
  }
  const review = reviews[0];
  return <ReviewForm key={review?.id ?? 'new'} booking={booking} userId={userId} review={review} />;
}
