import type { Booking, RenterReview } from '@lendtools/contracts';
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
import { useBookingReviewsQuery, useReviewRenterMutation } from './bookings-api.ts';
import { hasNoReply, ReplyForm } from './reply-form.tsx';
import { appearInWords } from './review-words.ts';
import { useThreadCalls } from './use-thread.ts';

const parts = [
  ['care', 'Care of the tool'],
  ['punctuality', 'Punctuality'],
  ['communication', 'Communication'],
] as const;

interface RenterReviewFormProps {
  booking: Booking;
  userId: string;
  review: RenterReview | null | undefined;
}

function RenterReviewForm({ booking, userId, review }: RenterReviewFormProps) {
  const renter = booking.user.first_name;
  const [draft, setDraft, clearDraft] = useDraft(`review-renter:${userId}:${booking.id}`, {
    care: review?.care ?? 0,
    punctuality: review?.punctuality ?? 0,
    communication: review?.communication ?? 0,
    comment: review?.comment ?? '',
  });
  const [tried, setTried] = useState(false);
  const card = useHashTarget<HTMLFormElement>('review');
  const [reviewRenter, { isLoading }] = useReviewRenterMutation();
  const comment = draft.comment.trim();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (comment === '' || parts.some(([part]) => draft[part] === 0)) return;
    const { data, error } = await reviewRenter({
      userId,
      bookingId: booking.id,
      ...draft,
      comment,
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
        {review ? `Your review of ${renter}` : `How was ${renter}?`}
      </Title>
      <Stack gap="sm" mt="sm">
        {parts.map(([part, label]) => (
          <RatingInput
            key={part}
            label={label}
            value={draft[part]}
            onChange={(stars) => setDraft({ ...draft, [part]: stars })}
            error={tried && draft[part] === 0 ? 'Please choose 1 to 5 stars' : undefined}
          />
        ))}
        <Textarea
          aria-label="Your review"
          placeholder={`Did ${renter} bring it back clean, and on time?`}
          value={draft.comment}
          onChange={(event) => setDraft({ ...draft, comment: event.currentTarget.value })}
          error={tried && comment === '' ? 'Please enter your review' : undefined}
          maxLength={2000}
          autosize
          minRows={3}
          maxRows={10}
        />
        <Text size="sm" c="dimmed">
          {review ? 'It appears' : 'Your review appears'} {appearInWords(booking)}.
          {booking.reviews?.byRenter && ` ${renter} has written one about your tool.`}
        </Text>
        <Button type="submit" loading={isLoading} style={{ alignSelf: 'flex-start' }}>
          {review ? 'Change your review' : 'Send a review'}
        </Button>
      </Stack>
    </form>
  );
}

function MyReview({ booking, userId, review }: RenterReviewFormProps) {
  const renter = booking.user.first_name;
  if (booking.allowedActions.includes('reviewRenter'))
    return (
      <RenterReviewForm
        key={review?.id ?? 'new'}
        booking={booking}
        userId={userId}
        review={review}
      />
    );
  if (review)
    return <ReviewOfRenter booking={booking} review={review} title={`Your review of ${renter}`} />;
  return (
    <Text c="dimmed" className={classes.review}>
      {booking.booking_status === 'Completed'
        ? 'The time to review this rental is over.'
        : `You can review ${renter} once the rental is completed.`}
    </Text>
  );
}

/** The owner's form, and what the renter wrote once it has appeared. */
export function RenterReviewBox({ booking, userId }: { booking: Booking; userId: string }) {
  const { data: reviews, error, refetch } = useBookingReviewsQuery(booking.id);
  // Wait for the message thread above: when it loads, it moves the stars, and a tap would miss.
  const { isLoading: willMove } = useThreadCalls(booking.id);
  if (willMove || booking.booking_status === 'Cancelled') return null;
  return (
    <>
      <MyReview booking={booking} userId={userId} review={booking.renterReview} />
      {!reviews && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!reviews && !error && <Skeleton h={120} />}
      {reviews?.map((review) => (
        <ToolReview
          key={review.id}
          booking={booking}
          review={review}
          title={`${booking.user.first_name}’s review`}
        >
          {hasNoReply(review) && (
            <ReplyForm userId={userId} bookingId={booking.id} reviewId={review.id} />
          )}
        </ToolReview>
      ))}
    </>
  );
}
