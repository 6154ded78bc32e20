import { randomUUIDv7 } from 'node:crypto';
import { createInserter, type MongoRelay } from '@lendtools/event-bus';
import { isDuplicateKey } from '@lendtools/service-kit';
import { type Connection, Schema } from 'mongoose';
import { idempotencyKeyReused, threadAlreadyOpen } from '../domain/errors.ts';
import type { Message, Thread } from '../domain/thread.ts';
import { type Draft, type StoredText, sendKeyOf, storedTextFields } from './stored-text.ts';

type StoredThread = Omit<Thread, 'bookingId'> & { _id: string };
type StoredMessage = StoredText & Thread;

const parties = { ownerId: String, renterId: String, toolName: String };
const options = { versionKey: false } as const;
const threadSchema = new Schema<StoredThread>({ _id: String, ...parties }, options);
const messageSchema = new Schema<StoredMessage>(
  { ...storedTextFields, ...parties, bookingId: String },
  options,
);

const toMessage = ({ _id: id, fromUserId, text, createdAt, ...thread }: StoredMessage): Message => {
  const { bookingId, ownerId, renterId, toolName } = thread;
  return { id, thread: { bookingId, ownerId, renterId, toolName }, fromUserId, text, createdAt };
};

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

    async findThread(bookingId: string): Promise<Thread | undefined> {
      const found = await threads.findById(bookingId).lean();
      if (!found) return undefined;
      const { _id, ...rest } = found;
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
