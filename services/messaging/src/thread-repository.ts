import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Envelope } from '@lendtools/contracts';
import { createInserter, type MongoRelay } from '@lendtools/event-bus';
import { isDuplicateKey, tooManyRequests, unavailable } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';
import type { Message, Reply, Thread } from './domain/thread.ts';
import { idempotencyKeyReused, threadAlreadyOpen } from './errors.ts';

/**
 * The fields that messages and replies share: `pending` holds the events to publish, `sendKey` makes a repeat a
 * no-op.
 */
interface Stored {
  _id: string;
  fromUserId: string;
  text: string;
  createdAt: Date;
  sendKey: string;
  pending: Envelope[];
}
type StoredThread = Omit<Thread, 'bookingId'> & { _id: string };
type StoredMessage = Stored & Thread;
type StoredReply = Stored & Pick<Reply, 'messageId' | 'bookingId' | 'place'>;

/** A message to store. `events` builds its events from the stored form; `key` is the sender's Idempotency-Key. */
interface Draft<T> {
  fromUserId: string;
  text: string;
  key: string | undefined;
  events: (sent: T) => Envelope[];
}
type ReplyDraft = Draft<Reply> & {
  /** The thread's last place when it was read; another reply may have taken the next one since. */
  lastPlace: number;
};

const stored = {
  _id: String,
  fromUserId: String,
  text: String,
  createdAt: Date,
  sendKey: String,
  pending: [Schema.Types.Mixed],
};
const parties = { ownerId: String, renterId: String, toolName: String };
const options = { versionKey: false } as const;
const threadSchema = new Schema<StoredThread>({ _id: String, ...parties }, options);
const messageSchema = new Schema<StoredMessage>(
  { ...stored, ...parties, bookingId: String },
  options,
);
const replySchema = new Schema<StoredReply>(
  { ...stored, messageId: String, bookingId: String, place: Number },
  options,
);

const toMessage = ({ _id: id, fromUserId, text, createdAt, ...thread }: StoredMessage): Message => {
  const { bookingId, ownerId, renterId, toolName } = thread;
  return { id, thread: { bookingId, ownerId, renterId, toolName }, fromUserId, text, createdAt };
};
const toReply = ({ _id: id, sendKey: _, pending: __, ...reply }: StoredReply): Reply => ({
  id,
  ...reply,
});

/** Without an Idempotency-Key every request counts as new. */
const sendKeyOf = (fromUserId: string, key: string | undefined): string =>
  `${fromUserId}:${key ?? randomUUID()}`;

/** Limits per person and thread. */
interface ReplyLimits {
  aMinute: number;
  aDay: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Concurrent replies to a thread compete for the next place. One wins each round; the others retry. */
const maxRounds = 50;

export type ThreadRepository = ReturnType<typeof createThreadRepository>;

export const createThreadRepository = (
  connection: Connection,
  { relay, limits }: { relay: MongoRelay; limits: ReplyLimits },
) => {
  const threads = connection.model('Thread', threadSchema, 'threads');
  const insertThread = createInserter<StoredThread>(threads.collection);
  const messages = connection.model('Message', messageSchema, 'messages');
  const replies = connection.model('Reply', replySchema, 'replies');

  const findLastPlace = async (messageId: string): Promise<number> => {
    const last = await replies.findOne({ messageId }, { place: 1 }).sort({ place: -1 }).lean();
    return last?.place ?? 0;
  };

  /**
   * How long the person has to wait until another reply is within the limits for a minute and a day; 0 if it is now.
   * Skips a window's query while the whole thread has fewer replies than that window's limit.
   */
  const floodWaitMs = async (
    messageId: string,
    fromUserId: string,
    lastPlace: number,
  ): Promise<number> => {
    const windows = [
      [limits.aMinute, minuteMs],
      [limits.aDay, dayMs],
    ] as const;
    const reachable = windows.filter(([most]) => lastPlace >= most);
    const waits = reachable.map(async ([most, windowMs]) => {
      const first = await replies
        .findOne({ messageId, fromUserId }, { createdAt: 1 })
        .sort({ createdAt: -1 })
        .skip(most - 1)
        .lean();
      return first ? first.createdAt.getTime() + windowMs - Date.now() : 0;
    });
    return Math.max(0, ...(await Promise.all(waits)));
  };

  /** @throws AppError IDEMPOTENCY_KEY_REUSED if the key belongs to another reply */
  const findSentReply = async (
    sendKey: string,
    { messageId, text }: { messageId: string; text: string },
  ): Promise<Reply | undefined> => {
    const sentBefore = await replies.findOne({ sendKey }).lean();
    if (!sentBefore) return undefined;
    if (sentBefore.messageId !== messageId || sentBefore.text !== text)
      throw idempotencyKeyReused();
    return toReply(sentBefore);
  };

  return {
    findLastPlace,

    /** The parties of a thread never change, so a repeat is a no-op. */
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
     * Stores the thread's first message. The unique index on the booking admits one of several concurrent ones.
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

    /**
     * Appends a reply. The unique index on `place` makes reading by `after` complete: a reply is never readable
     * before those with a lower place, whichever replica writes them.
     * Each round checks the limits after it has read the place. A concurrent reply is then either counted or takes
     * the place, which starts another round.
     * @throws AppError IDEMPOTENCY_KEY_REUSED, TOO_MANY_REQUESTS
     */
    async addReply(message: Message, draft: ReplyDraft): Promise<Reply> {
      const { fromUserId, text, key } = draft;
      let place = draft.lastPlace + 1;
      const sendKey = sendKeyOf(fromUserId, key);
      const about = { messageId: message.id, bookingId: message.thread.bookingId };
      for (let round = 0; round < maxRounds; round++) {
        const waitMs = await floodWaitMs(message.id, fromUserId, place - 1);
        if (waitMs > 0) {
          const sentBefore = await findSentReply(sendKey, { messageId: message.id, text });
          if (sentBefore) return sentBefore;
          throw tooManyRequests(waitMs / 1000, 'You have written a lot here.');
        }
        const rest = { ...about, place, fromUserId, text, createdAt: new Date() };
        const sent = { id: randomUUIDv7(), ...rest };
        const document = { _id: sent.id, ...rest, sendKey, pending: draft.events(sent) };
        try {
          await replies.create([document]);
          void relay.publish('replies', document);
          return sent;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        const sentBefore = await findSentReply(sendKey, { messageId: message.id, text });
        if (sentBefore) return sentBefore;
        place = (await findLastPlace(message.id)) + 1;
      }
      throw unavailable();
    },

    /** Returns the place of a reply, or 0 if the message has no such reply. */
    async placeOf(messageId: string, replyId: string): Promise<number> {
      const found = await replies.findOne({ _id: replyId, messageId }, { place: 1 }).lean();
      return found?.place ?? 0;
    },

    /** Lists the replies after a place, oldest first. */
    async listReplies(messageId: string, after: number, limit: number): Promise<Reply[]> {
      const found = await replies
        .find({ messageId, place: trusted({ $gt: after }) })
        .sort({ place: 1 })
        .limit(limit)
        .lean();
      return found.map(toReply);
    },
  };
};
