import { pendingIndexes } from '@lendtools/event-bus';
import type { mongo } from 'mongoose';
import { emailLogDays } from './email-repository.ts';

/** Collections whose documents contain pending events. */
export const outboxes = ['notices'];

export const indexes: Record<string, mongo.IndexDescription[]> = {
  bookings: [{ key: { renterId: 1, ownerId: 1 } }, { key: { ownerId: 1, renterId: 1 } }],
  roles: [{ key: { role: 1 } }],
  notices: [
    { key: { key: 1 }, unique: true },
    { key: { userId: 1, _id: -1 } },
    { key: { userId: 1, readAt: 1 } },
    { key: { userId: 1, bookingId: 1, kind: 1 } },
    { key: { fromUserId: 1 } },
    ...pendingIndexes,
  ],
  emails: [
    { key: { status: 1, dueAt: 1 } },
    { key: { userId: 1 } },
    { key: { finishedAt: 1 }, expireAfterSeconds: emailLogDays * 86_400 },
  ],
};
