import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

export const openThreadWhenBookingCreated = ({ threads }: Deps): Consumer =>
  subscribe('messaging.open-thread-when-booking-created', async ({ data }) => {
    const { bookingId, ownerId, renterId, toolName } = data;
    await threads.openThread({ bookingId, ownerId, renterId, toolName });
  });
