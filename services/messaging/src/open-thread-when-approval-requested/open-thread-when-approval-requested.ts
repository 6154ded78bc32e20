import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Opens the thread of a requested booking. A requested change has its booking's thread, so its event is a no-op. */
export const openThreadWhenApprovalRequested = ({ threads }: Deps): Consumer =>
  subscribe('messaging.open-thread-when-approval-requested', async ({ data }) => {
    const { bookingId, ownerId, renterId, toolName } = data;
    await threads.openThread({ bookingId, ownerId, renterId, toolName });
  });
