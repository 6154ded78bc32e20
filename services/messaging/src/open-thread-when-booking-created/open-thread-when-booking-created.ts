import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Opens the booking's thread, in which contact details are not masked, and continues the renter's question about the tool. */
export const openThreadWhenBookingCreated = ({ threads }: Deps): Consumer =>
  subscribe('messaging.open-thread-when-booking-created', async ({ occurredAt, data }) => {
    const { bookingId, ownerId, renterId, toolName, toolId } = data;
    const thread = { bookingId, ownerId, renterId, toolName };
    await threads.openThread(thread);
    await threads.continueQuestion(thread, toolId, new Date(occurredAt));
  });
