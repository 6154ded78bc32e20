import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Lets a purge delete the thread of a request that did not become a booking, after bookings has deleted the request. */
export const endThreadWhenApprovalEnded = ({ threads }: Deps): Consumer =>
  subscribe('messaging.end-thread-when-approval-ended', async ({ occurredAt, data }) => {
    if (data.change) return;
    const { bookingId, ownerId, renterId, toolName } = data;
    await threads.endThread({ bookingId, ownerId, renterId, toolName }, new Date(occurredAt));
  });
