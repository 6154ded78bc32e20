import { Button, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useReplyToReviewMutation } from './bookings-api.ts';

interface ReplyFormProps {
  userId: string;
  bookingId: string;
  reviewId: string;
}

/** The one public reply to a review of the user. */
export function ReplyForm({ userId, bookingId, reviewId }: ReplyFormProps) {
  const [text, setText, clearText] = useDraft(`review-reply:${userId}:${reviewId}`, '');
  const [tried, setTried] = useState(false);
  const [reply, { isLoading }] = useReplyToReviewMutation();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (text.trim() === '') return;
    const { data, error } = await reply({ userId, bookingId, reviewId, text: text.trim() });
    if (error) return toastError(errorMessage(error));
    clearText();
    toastSuccess(data.message);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="xs" mt="sm">
        <Textarea
          label="Your public reply"
          description="You can reply once, and the reply can’t be changed."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={tried && text.trim() === '' ? 'Please enter your reply' : undefined}
          maxLength={1000}
          autosize
          minRows={2}
          maxRows={8}
        />
        <Button
          type="submit"
          variant="default"
          loading={isLoading}
          style={{ alignSelf: 'flex-start' }}
        >
          Reply in public
        </Button>
      </Stack>
    </form>
  );
}

/** Whether the reviewed person can still reply: the review has appeared and has no reply. */
export function hasNoReply({
  reply,
  publishedAt,
}: {
  reply?: { text: string } | null | undefined;
  publishedAt?: string | null | undefined;
}) {
  return !reply && Boolean(publishedAt);
}
