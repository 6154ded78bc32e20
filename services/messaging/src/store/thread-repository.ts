import { randomUUIDv7 } from 'node:crypto';
import { createInserter, type MongoRelay } from '@lendtools/event-bus';
import { inBatches, isDuplicateKey } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';
import { idempotencyKeyReused, threadAlreadyOpen } from '../domain/errors.ts';
import type { Message, Thread } from '../domain/thread.ts';
import { type Draft, type StoredText, sendKeyOf, storedTextFields } from './stored-text.ts';

type StoredThread = Omit<Thread, 'bookingId'> & {
  _id: string;
  /** When its request ended without becoming a booking. */
  endedAt?: Date;
};
type StoredMessage = StoredText & Thread;

const parties = { ownerId: String, renterId: String, toolName: String };
const options = { versionKey: false } as const;
const threadSchema = new Schema<StoredThread>({ _id: String, ...parties, endedAt: Date }, options);
const messageSchema = new Schema<StoredMessage>(
  { ...storedTextFields, ...parties, bookingId: String },
  options,
);

const toMessage = ({ _id: id, fromUserId, text, createdAt, ...thread }: StoredMessage): Message => {
  const { bookingId, ownerId, renterId, toolName } = thread;
  return { id, thread: { bookingId, ownerId, renterId, toolName }, fromUserId, text, createdAt };
};

/** As long as bookings keeps the request. */
const keepEndedMs = 90 * 86_400_000;

interface StartedRange {
  before: string | undefined;
  userId: string | undefined;
  limit: number;
}

export type ThreadRepository = ReturnType<typeof createThreadRepository>;

export const createThreadRepository = (
  connection: Connection,
  { relay }: { relay: MongoRelay },
) => {
  const threads = connection.model('Thread', threadSchema, 'threads');
  const insertThread = createInserter<StoredThread>(threads.collection);
  const messages = connection.model('Message', messageSchema, 'messages');

  return {
    /** Opens a thread. Its parties never change, so a repeated call is a no-op. */
    async openThread({ bookingId, ...rest }: Thread): Promise<void> {
      await insertThread({ _id: bookingId, ...rest });
    },

    /** Marks the thread of an ended request. Opens it if the event of the request has not arrived yet. */
    async endThread({ bookingId, ...rest }: Thread, endedAt: Date): Promise<void> {
      const $set = { endedAt };
      await threads.updateOne({ _id: bookingId }, { $set, $setOnInsert: rest }, { upsert: true });
    },

    /** Deletes the threads of requests that ended long ago. Deletes their texts first, so that a crash leaves none behind. */
    purgeEnded: (): Promise<number> =>
      inBatches({}, async (limit) => {
        const before = new Date(Date.now() - keepEndedMs);
        const ended = await threads
          .find({ endedAt: trusted({ $lt: before }) }, { _id: 1 })
          .limit(limit)
          .lean();
        const bookingIds = trusted({ $in: ended.map(({ _id }) => _id) });
        const first = await messages.find({ bookingId: bookingIds }, { _id: 1 }).lean();
        const messageId = { $in: first.map(({ _id }) => _id) };
        await connection.collection('replies').deleteMany({ messageId });
        await messages.deleteMany({ bookingId: bookingIds });
        return (await threads.deleteMany({ _id: bookingIds })).deletedCount;
      }),

    async findThread(bookingId: string): Promise<Thread | undefined> {
      const found = await threads.findById(bookingId).lean();
      if (!found) return undefined;
      const { _id, endedAt: _, ...rest } = found;
      return { bookingId: _id, ...rest };
    },

    async findMessage(messageId: string): Promise<Message | undefined> {
      const found = await messages.findById(messageId).lean();
      return found ? toMessage(found) : undefined;
    },

    async findMessageOfBooking(bookingId: string): Promise<Message | undefined> {
      const found = await messages.findOne({ bookingId }).lean();
      return found ? toMessage(found) : undefined;
    },

    /** The first messages of the threads in which someone wrote, of one user's if given, the last started first. */
    async listStarted({ before, userId, limit }: StartedRange): Promise<Message[]> {
      const filter = {
        ...(before && { _id: trusted({ $lt: before }) }),
        ...(userId && { $or: [{ ownerId: userId }, { renterId: userId }] }),
      };
      const found = await messages.find(filter).sort({ _id: -1 }).limit(limit).lean();
      return found.map(toMessage);
    },

    /**
     * Adds a thread's first message. The unique index on the booking accepts only one of several concurrent messages.
     * @throws AppError THREAD_ALREADY_OPEN, or IDEMPOTENCY_KEY_REUSED for a different text under the same key.
     */
    async addMessage(thread: Thread, draft: Draft<Message>): Promise<Message> {
      const { fromUserId, text, key } = draft;
      const sent = { id: randomUUIDv7(), thread, fromUserId, text, createdAt: new Date() };
      const { id: _id, thread: _, ...rest } = sent;
      const sendKey = sendKeyOf(fromUserId, key);
      const document = { _id, ...rest, ...thread, sendKey, pending: draft.events(sent) };
      try {
        await messages.create([document]);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const sentBefore = await messages.findOne({ sendKey }).lean();
        if (!sentBefore) throw threadAlreadyOpen();
        if (sentBefore.bookingId !== thread.bookingId || sentBefore.text !== text)
          throw idempotencyKeyReused();
        return toMessage(sentBefore);
      }
      void relay.publish('messages', document);
      return sent;
    },
  };
};
