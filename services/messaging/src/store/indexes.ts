import { pendingIndexes, publishedEventsIndex } from '@lendtools/event-bus';
import { adminActs } from '@lendtools/service-runtime';
import type { mongo } from 'mongoose';

/** Collections whose documents carry events to publish. */
export const outboxes = ['messages', 'replies'];

const sendKey = { key: { sendKey: 1 }, name: 'send_key', unique: true } as const;

export const indexes: Record<string, mongo.IndexDescription[]> = {
  [publishedEventsIndex.collection]: [...publishedEventsIndex.indexes],
  threads: [
    { key: { endedAt: 1 }, name: 'ended_at', sparse: true },
    { key: { question: 1 }, name: 'question', unique: true, sparse: true },
    { key: { parties: 1, 'last.at': -1, _id: -1 }, name: 'threads_of_party' },
    { key: { renterId: 1, ownerId: 1 }, name: 'threads_of_renter' },
  ],
  question_counts: [{ key: { endsAt: 1 }, name: 'ended', expireAfterSeconds: 0 }],
  [adminActs]: [{ key: { createdAt: 1 }, name: 'created_at' }, ...pendingIndexes],
  messages: [
    { key: { bookingId: 1 }, name: 'message_of_booking', unique: true },
    { key: { ownerId: 1, _id: -1 }, name: 'started_of_owner' },
    { key: { renterId: 1, _id: -1 }, name: 'started_of_renter' },
    sendKey,
    ...pendingIndexes,
  ],
  replies: [
    { key: { messageId: 1, place: 1 }, name: 'place_in_thread', unique: true },
    { key: { messageId: 1, fromUserId: 1, createdAt: -1 }, name: 'sent_by_in_thread' },
    { key: { fromUserId: 1 }, name: 'sent_by' },
    sendKey,
    ...pendingIndexes,
  ],
};
