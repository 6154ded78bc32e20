import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Opens the thread of a requested booking. A requested change has its booking's thread, so its event is a no-op. */
export const openThreadWhenApprovalRequested = ({ threads }: Deps): Consumer =>
  subscribe('messaging.open-thread-when-approval-requested', async ({ occurredAt, data }) => {
    const { bookingId, ownerId, renterId, toolName, toolId } = data;
    const thread = { bookingId, ownerId, renterId, toolName };
    if (data.change) return threads.openThread(thread);
    const requested = { ...thread, isUnpaid: true };
    await threads.openThread(requested);
    await threads.continueQuestion(requested, toolId, new Date(occurredAt));
  });
