import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

/** A booking continues a question: opening the booking then also marks the notices about the question as read. */
export const moveNoticesWhenThreadChanged = ({ notices }: Deps): Consumer =>
  subscribe('notifications.move-notices-when-thread-changed', async ({ data }) => {
    const { questionId, bookingId, ownerId, renterId } = data;
    if (questionId) await notices.moveToBooking([ownerId, renterId], { questionId, bookingId });
  });
