import { randomUUIDv7 } from 'node:crypto';
import type { Answer } from '@lendtools/contracts';
import type { MongoRelay } from '@lendtools/event-bus';
import { isDuplicateKey, tooManyRequests, unavailable } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';
import { answerAwaited, idempotencyKeyReused } from '../domain/errors.ts';
import type { Message, Reply } from '../domain/thread.ts';
import {
  type Draft,
  type Hiding,
  hidingOf,
  type StoredText,
  sendKeyOf,
  storedTextFields,
} from './stored-text.ts';

type StoredReply = StoredText & Pick<Reply, 'messageId' | 'bookingId' | 'place' | 'answer'>;

type ReplyDraft = Draft<Reply> & {
  /** The last place when the thread was read. A concurrent reply may have taken the next place since. */
  lastPlace: number;
  answer?: Answer;
};

const replySchema = new Schema<StoredReply>(
  {
    ...storedTextFields,
    messageId: String,
    bookingId: String,
    place: Number,
    answer: Schema.Types.Mixed,
  },
  { versionKey: false },
);

const replyModel = (connection: Connection) => connection.model('Reply', replySchema, 'replies');
type ReplyModel = ReturnType<typeof replyModel>;

const toReply = (stored: StoredReply): Reply => {
  const { _id: id, sendKey: _, pending: __, hiddenVersion: ___, ...reply } = stored;
  return { id, ...reply };
};

interface ReplyLimits {
  aMinute: number;
  aDay: number;
}

/** How many replies a renter may write in a question in a row. Each reply of the owner starts a new row. */
const mostUnanswered = 5;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How many times to try to store a reply. Concurrent replies compete for the next place in the thread: each time, only one gets it. */
const maxRounds = 50;

export type ReplyRepository = ReturnType<typeof createReplyRepository>;

export const createReplyRepository = (
  connection: Connection,
  { relay, limits }: { relay: MongoRelay; limits: ReplyLimits },
) => {
  const replies = replyModel(connection);

  const findLastPlace = async (messageId: string): Promise<number> => {
    const last = await replies.findOne({ messageId }, { place: 1 }).sort({ place: -1 }).lean();
    return last?.place ?? 0;
  };

  return {
    findLastPlace,

    /** The replies that a user sent. */
    async listSentBy(
      fromUserId: string,
    ): Promise<Pick<StoredReply, 'bookingId' | 'text' | 'createdAt'>[]> {
      return replies.find({ fromUserId }).lean();
    },

    async findLast(messageId: string): Promise<Pick<Reply, 'place' | 'createdAt'> | undefined> {
      const fields = { place: 1, createdAt: 1 };
      const last = await replies.findOne({ messageId }, fields).sort({ place: -1 }).lean();
      return last ?? undefined;
    },

    /**
     * `place` is a reply's number in its thread. Its unique index keeps pages read by the cursor `after` complete: replies
     * become readable in order, whichever replica writes them. Each attempt reads the last place, then checks the limits. If
     * a concurrent reply takes the next place, the insert fails and the next attempt also counts that reply.
     * @throws AppError IDEMPOTENCY_KEY_REUSED, TOO_MANY_REQUESTS, ANSWER_AWAITED
     */
    async add(message: Message, draft: ReplyDraft): Promise<Reply> {
      const { fromUserId, text } = draft;
      const messageId = message.id;
      const sendKey = sendKeyOf(fromUserId, draft.key);
      const findSent = () => findSentReply(replies, { sendKey, messageId, text });
      let { lastPlace } = draft;
      for (let round = 0; round < maxRounds; round++) {
        const waitMs = await floodWaitMs(replies, limits, { messageId, fromUserId, lastPlace });
        if (waitMs > 0) {
          const sentBefore = await findSent();
          if (sentBefore) return sentBefore;
          throw tooManyRequests(waitMs / 1000, 'You have written a lot here.');
        }
        if (await awaitsAnswer(replies, message, { fromUserId, lastPlace })) {
          const sentBefore = await findSent();
          if (sentBefore) return sentBefore;
          throw answerAwaited();
        }
        const next = { ...draft, sendKey, place: lastPlace + 1 };
        const sent = (await insertReply({ replies, relay }, message, next)) ?? (await findSent());
        if (sent) return sent;
        lastPlace = await findLastPlace(messageId);
      }
      throw unavailable();
    },

    /** The reply that a user sent to a message with this Idempotency-Key. @throws AppError IDEMPOTENCY_KEY_REUSED */
    async findSent(
      messageId: string,
      { fromUserId, text, key }: Pick<ReplyDraft, 'fromUserId' | 'text' | 'key'>,
    ): Promise<Reply | undefined> {
      if (key === undefined) return undefined;
      return findSentReply(replies, { sendKey: sendKeyOf(fromUserId, key), messageId, text });
    },

    async find(id: string): Promise<Reply | undefined> {
      const found = await replies.findById(id).lean();
      return found ? toReply(found) : undefined;
    },

    /** @returns the id of its thread's first message; undefined without such a reply, or if a later version is stored */
    async hide(hiding: Hiding): Promise<string | undefined> {
      return (await replies.findOneAndUpdate(...hidingOf(hiding)).lean())?.messageId;
    },

    /** Returns a reply's place in the thread; 0 if the message has no reply with this id. */
    async placeOf(messageId: string, replyId: string): Promise<number> {
      const found = await replies.findOne({ _id: replyId, messageId }, { place: 1 }).lean();
      return found?.place ?? 0;
    },

    /** Lists the replies after a place, oldest first. */
    async list(messageId: string, after: number, limit: number): Promise<Reply[]> {
      const found = await replies
        .find({ messageId, place: trusted({ $gt: after }) })
        .sort({ place: 1 })
        .limit(limit)
        .lean();
      return found.map(toReply);
    },
  };
};

/** @returns undefined if a reply with the same place or key is stored already */
const insertReply = async (
  { replies, relay }: { replies: ReplyModel; relay: MongoRelay },
  { id: messageId, thread }: Message,
  next: ReplyDraft & Pick<StoredReply, 'sendKey' | 'place'>,
): Promise<Reply | undefined> => {
  const { place, fromUserId, text, sendKey, answer } = next;
  const { bookingId } = thread;
  const written = { fromUserId, text, createdAt: new Date(), ...(answer && { answer }) };
  const rest = { messageId, bookingId, place, ...written };
  const sent = { id: randomUUIDv7(), ...rest };
  const document = { _id: sent.id, ...rest, sendKey, pending: next.events(sent) };
  try {
    await replies.create([document]);
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
  void relay.publish('replies', document);
  return sent;
};

/**
 * How long to wait before another reply is within the limits per minute and per day; 0 if it already is. Runs no query
 * for a limit if the whole thread has fewer replies than that limit.
 */
const floodWaitMs = async (
  replies: ReplyModel,
  limits: ReplyLimits,
  next: { messageId: string; fromUserId: string; lastPlace: number },
): Promise<number> => {
  const { messageId, fromUserId, lastPlace } = next;
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

/** Whether the renter of a question has to wait for the owner's next reply. */
const awaitsAnswer = async (
  replies: ReplyModel,
  { id: messageId, thread }: Message,
  { fromUserId, lastPlace }: { fromUserId: string; lastPlace: number },
): Promise<boolean> => {
  if (!thread.toolId || fromUserId !== thread.renterId || lastPlace < mostUnanswered) return false;
  const answered = await replies
    .findOne({ messageId, fromUserId: thread.ownerId }, { place: 1 })
    .sort({ place: -1 })
    .lean();
  const place = trusted({ $gt: answered?.place ?? 0 });
  return (await replies.countDocuments({ messageId, fromUserId, place })) >= mostUnanswered;
};

/** @throws AppError IDEMPOTENCY_KEY_REUSED if the key belongs to another reply */
const findSentReply = async (
  replies: ReplyModel,
  { sendKey, messageId, text }: { sendKey: string; messageId: string; text: string },
): Promise<Reply | undefined> => {
  const sentBefore = await replies.findOne({ sendKey }).lean();
  if (!sentBefore) return undefined;
  if (sentBefore.messageId !== messageId || sentBefore.text !== text) throw idempotencyKeyReused();
  return toReply(sentBefore);
};
