import { pendingIndexes } from '@lendtools/event-bus';
import type { Connection } from 'mongoose';
import { emailLogDays } from './email-repository.ts';

/** Made at start, never by mongoose: every replica may ask for the same at once. */
export const ensureIndexes = async (connection: Connection): Promise<void> => {
  await connection
    .collection('bookings')
    .createIndexes([{ key: { renterId: 1, ownerId: 1 } }, { key: { ownerId: 1, renterId: 1 } }]);
  await connection.collection('roles').createIndex({ role: 1 });
  await connection.collection('notices').createIndexes([
    // One notice for each event and recipient, however often the event comes.
    { key: { key: 1 }, unique: true },
    { key: { userId: 1, _id: -1 } },
    { key: { userId: 1, readAt: 1 } },
    { key: { userId: 1, bookingId: 1, kind: 1 } },
    ...pendingIndexes,
  ]);
  await connection
    .collection('emails')
    .createIndexes([
      { key: { status: 1, dueAt: 1 } },
      { key: { finishedAt: 1 }, expireAfterSeconds: emailLogDays * 86_400 },
    ]);
};
