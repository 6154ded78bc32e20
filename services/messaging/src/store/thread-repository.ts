import { randomUUIDv7 } from 'node:crypto';
import type { Envelope, EventData } from '@lendtools/contracts';
import { createInserter, type MongoRelay, newEvent } from '@lendtools/event-bus';
import { inBatches, isDuplicateKey, unavailable } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';
import { idempotencyKeyReused, threadAlreadyOpen } from '../domain/errors.ts';
import type { Message, Thread } from '../domain/thread.ts';
import { readableText } from '../message-view.ts';
import {
  type Draft,
  type Hiding,
  hidingOf,
  type StoredText,
  sendKeyOf,
  storedTextFields,
} from './stored-text.ts';

type StoredThread = Omit<Thread, 'bookingId' | 'isToolOut'> & {
  _id: string;
  /** When its request ended without becoming a booking, or the last message of a question was sent. */
  endedAt?: Date;
  /** The version of the booking that was over before the tool's return was confirmed. */
  outVersion?: number;
  /** The latest version of the booking in which the tool was returned. The event may arrive before that of the end. */
  returnedVersion?: number;
  /** `<tool>:<renter>` of a question; unique. */
  question?: string;
  /** The booking or request that continued the question; absent again once the renter asks the next one. */
  continuedBy?: string;
  /** Both parties' ids, for their lists. Set together with `last`. */
  parties?: string[];
  last?: LastMessage;
};
type StoredMessage = StoredText & Thread;

interface LastMessage {
  at: Date;
  fromUserId: string;
  /** The beginning of the text. */
  text: string;
}

/** A thread as its parties list it. */
export type ThreadSummary = Thread & Pick<StoredThread, 'continuedBy' | 'last'>;

/** Where a page of a user's threads ends. */
export interface ThreadPosition {
  at: Date;
  threadId: string;
}

const parties = { ownerId: String, renterId: String, toolName: String, isUnpaid: Boolean };
const options = { versionKey: false } as const;
const threadSchema = new Schema<StoredThread>(
  {
    _id: String,
    ...parties,
    toolId: String,
    endedAt: Date,
    overAt: Date,
    outVersion: Number,
    returnedVersion: Number,
    question: String,
    continuedBy: String,
    parties: { type: [String], default: undefined },
    last: { type: { at: Date, fromUserId: String, text: String }, _id: false },
  },
  options,
);
const messageSchema = new Schema<StoredMessage>(
  { ...storedTextFields, ...parties, bookingId: String },
  options,
);

/** `masks`: whether contact details are masked in unpaid threads. */
const toMessage = (
  { _id: id, fromUserId, text, createdAt, ...rest }: StoredMessage,
  masks: boolean,
): Message => {
  const { bookingId, ownerId, renterId, toolName, isUnpaid, isHidden } = rest;
  const parties = {
    bookingId,
    ownerId,
    renterId,
    toolName,
    ...(isUnpaid && { isUnpaid, isMasked: masks }),
  };
  return { id, thread: parties, fromUserId, text, createdAt, ...(isHidden && { isHidden }) };
};

const toSummary = ({ _id: bookingId, ...rest }: StoredThread, masks: boolean): ThreadSummary => {
  const { ownerId, renterId, toolName, toolId, isUnpaid, continuedBy, last, endedAt } = rest;
  const { outVersion = 0, returnedVersion = 0 } = rest;
  const overAt = rest.overAt ?? (toolId ? undefined : endedAt);
  return {
    bookingId,
    ownerId,
    renterId,
    toolName,
    ...(toolId && { toolId }),
    ...(isUnpaid && { isUnpaid, isMasked: masks }),
    ...(overAt && { overAt }),
    ...(outVersion > returnedVersion && { isToolOut: true }),
    ...(continuedBy && { continuedBy }),
    ...(last && { last }),
  };
};

const toThread = (stored: StoredThread, masks: boolean): Thread => {
  const { continuedBy: _, last: __, ...thread } = toSummary(stored, masks);
  return thread;
};

const threadChanged = (data: EventData<'ThreadChanged'>): Envelope =>
  newEvent('ThreadChanged', { id: data.messageId, version: data.questionId ? 1 : 2 }, data);

const excerptLength = 200;

const keyOf = (toolId: string, renterId: string): string => `${toolId}:${renterId}`;

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
  { relay, masks }: { relay: MongoRelay; masks: boolean },
) => {
  const threads = connection.model('Thread', threadSchema, 'threads');
  const insertThread = createInserter<StoredThread>(threads.collection);
  const messages = connection.model('Message', messageSchema, 'messages');

  const findThread = async (threadId: string): Promise<Thread | undefined> => {
    const found = await threads.findById(threadId).lean();
    return found ? toThread(found, masks) : undefined;
  };

  /** Reloads the thread of an unpaid message, because it may have been paid since. */
  const toCurrent = async (found: StoredMessage): Promise<Message> => {
    const message = toMessage(found, masks);
    const thread = found.isUnpaid ? await findThread(found.bookingId) : undefined;
    return thread ? { ...message, thread } : message;
  };

  const change = async (
    which: { bookingId: string; isUnpaid?: true; createdAt?: object },
    changes: object,
    event: (message: StoredMessage) => Envelope,
  ): Promise<'threadIsTaken' | undefined> => {
    const found = await messages.findOne(which).lean();
    if (!found) return undefined;
    const changed = await messages
      .findOneAndUpdate(
        { _id: found._id, ...which },
        { ...changes, $push: { pending: event(found) } },
        { returnDocument: 'after' },
      )
      .lean()
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) return 'threadIsTaken' as const;
        throw error;
      });
    if (changed === 'threadIsTaken') return changed;
    if (changed) void relay.publish('messages', changed);
    return undefined;
  };

  return {
    /**
     * Opens the thread of a booking or request. Its parties never change, so a repeated call is a no-op, except that a booking
     * makes the thread of its request a paid one.
     */
    async openThread({ bookingId, ...rest }: Thread): Promise<void> {
      const isNew = await insertThread({ _id: bookingId, ...rest });
      if (isNew || rest.isUnpaid) return;
      await threads.updateOne({ _id: bookingId, isUnpaid: true }, { $unset: { isUnpaid: 1 } });
      const { ownerId, renterId } = rest;
      await change({ bookingId, isUnpaid: true }, { $unset: { isUnpaid: 1 } }, ({ _id }) =>
        threadChanged({ bookingId, ownerId, renterId, messageId: _id, questionId: null }),
      );
      await this.renewLast(bookingId);
    },

    /** Notes the latest message of a thread whose messages have moved or become readable. */
    async renewLast(bookingId: string): Promise<void> {
      const thread = await findThread(bookingId);
      const first = await messages.findOne({ bookingId }).lean();
      if (!thread || !first) return;
      const replies = connection.collection<StoredText & { messageId: string }>('replies');
      const last = await replies.findOne({ messageId: first._id }, { sort: { place: -1 } });
      await this.noteLast(thread, last ?? first);
    },

    /**
     * Moves the messages of the renter's open question about the tool to the thread of a booking or request.
     * @param bookedAt later questions stay: an event may arrive again long after its booking
     */
    async continueQuestion(thread: Thread, toolId: string, bookedAt: Date): Promise<void> {
      const { bookingId, ownerId, renterId, isUnpaid } = thread;
      const question = await threads.findOne({ question: keyOf(toolId, renterId) }).lean();
      if (!question) return;
      const which = { bookingId: question._id, createdAt: trusted({ $lte: bookedAt }) };
      if (!(await messages.exists(which))) {
        if (question.continuedBy === bookingId) await this.renewLast(bookingId);
        return;
      }
      const parties = [ownerId, renterId];
      /** The booking's thread has a first message already, so the question stays a thread of its own. */
      const leave = () =>
        threads.updateOne(
          { _id: question._id, continuedBy: bookingId },
          { $set: { parties }, $unset: { continuedBy: 1 } },
        );
      if (await messages.exists({ bookingId })) {
        await leave();
        return;
      }
      await threads.updateOne(
        { _id: question._id },
        { $set: { continuedBy: bookingId }, $unset: { parties: 1 } },
      );
      const moved = isUnpaid
        ? { $set: { bookingId } }
        : { $set: { bookingId }, $unset: { isUnpaid: 1 } };
      const outcome = await change(which, moved, ({ _id }) =>
        threadChanged({ bookingId, ownerId, renterId, messageId: _id, questionId: question._id }),
      );
      if (outcome === 'threadIsTaken') await leave();
      else await this.renewLast(bookingId);
    },

    /** Opens a question, or returns the one that the renter has about the tool already. */
    async openQuestion(
      question: Required<Pick<Thread, 'toolId' | 'ownerId' | 'renterId' | 'toolName'>>,
    ): Promise<Thread> {
      const key = keyOf(question.toolId, question.renterId);
      const now = new Date();
      const created = { _id: randomUUIDv7(), ...question, isUnpaid: true, question: key };
      await insertThread({ ...created, endedAt: now });
      const found = await threads
        .findOneAndUpdate(
          { question: key },
          { $set: { endedAt: now }, $unset: { continuedBy: 1 } },
          { returnDocument: 'after' },
        )
        .lean();
      // A purge deleted an old question meanwhile.
      if (!found) throw unavailable();
      return toThread(found, masks);
    },

    async findQuestion(toolId: string, renterId: string): Promise<ThreadSummary | undefined> {
      const found = await threads.findOne({ question: keyOf(toolId, renterId) }).lean();
      return found ? toSummary(found, masks) : undefined;
    },

    async findSummary(threadId: string): Promise<ThreadSummary | undefined> {
      const found = await threads.findById(threadId).lean();
      return found ? toSummary(found, masks) : undefined;
    },

    /** Lists a user's threads that have messages, the latest message first. */
    async listThreads(
      userId: string,
      after: ThreadPosition | undefined,
      limit: number,
    ): Promise<ThreadSummary[]> {
      const older = after && [
        { 'last.at': trusted({ $lt: after.at }) },
        { 'last.at': after.at, _id: trusted({ $lt: after.threadId }) },
      ];
      const found = await threads
        .find({ parties: userId, ...(older && { $or: older }) })
        .sort({ 'last.at': -1, _id: -1 })
        .limit(limit)
        .lean();
      return found.map((thread) => toSummary(thread, masks));
    },

    /**
     * Updates the latest message in both parties' lists. A question expires as long after its last message as an ended
     * request after its end.
     */
    async noteLast(
      { bookingId, ownerId, renterId, toolId, isMasked }: Thread,
      sent: Pick<Message, 'text' | 'fromUserId' | 'createdAt' | 'isHidden'>,
    ): Promise<void> {
      const { fromUserId, createdAt: at } = sent;
      const text = readableText({ isMasked }, sent).slice(0, excerptLength);
      const last = { at, fromUserId, text };
      const $set = { parties: [ownerId, renterId], last, ...(toolId && { endedAt: at }) };
      await threads.updateOne(
        { _id: bookingId, 'last.at': trusted({ $not: { $gt: at } }) },
        { $set },
      );
    },

    /** @returns whether there is such a first message, and no later version is stored */
    async hideMessage(hiding: Hiding): Promise<boolean> {
      return (await messages.updateOne(...hidingOf(hiding))).matchedCount > 0;
    },

    /** The first message that a user sent with this Idempotency-Key. */
    async findSent(userId: string, key: string | undefined): Promise<Message | undefined> {
      if (key === undefined) return undefined;
      const found = await messages.findOne({ sendKey: sendKeyOf(userId, key) }).lean();
      return found ? toCurrent(found) : undefined;
    },

    /** Marks the thread of an ended request. Opens it if the event of the request has not arrived yet. */
    async endThread({ bookingId, ...rest }: Thread, endedAt: Date): Promise<void> {
      const $set = { endedAt };
      const $setOnInsert = { ...rest, isUnpaid: true };
      await threads.updateOne({ _id: bookingId }, { $set, $setOnInsert }, { upsert: true });
    },

    /** Notes when a thread's booking was over. Opens the thread if the event of the booking has not arrived yet. */
    async noteOver(
      { bookingId, ...rest }: Thread,
      { overAt, outVersion }: { overAt: Date; outVersion: number | undefined },
    ): Promise<void> {
      const out = outVersion !== undefined && { $max: { outVersion } };
      await threads.updateOne(
        { _id: bookingId },
        { $set: { overAt }, ...out, $setOnInsert: rest },
        { upsert: true },
      );
    },

    /** Notes that a thread's tool is back. Opens the thread if the event of the booking has not arrived yet. */
    async noteReturn({ bookingId, ...rest }: Thread, returnedVersion: number): Promise<void> {
      await threads.updateOne(
        { _id: bookingId },
        { $max: { returnedVersion }, $setOnInsert: rest },
        { upsert: true },
      );
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

    findThread,

    async findMessage(messageId: string): Promise<Message | undefined> {
      const found = await messages.findById(messageId).lean();
      return found ? toCurrent(found) : undefined;
    },

    async findMessageOfBooking(bookingId: string): Promise<Message | undefined> {
      const found = await messages.findOne({ bookingId }).lean();
      return found ? toCurrent(found) : undefined;
    },

    /** The messages of a user that opened a thread. */
    async listSentBy(
      userId: string,
    ): Promise<Pick<StoredMessage, 'bookingId' | 'text' | 'createdAt'>[]> {
      const party = [{ ownerId: userId }, { renterId: userId }];
      return messages.find({ $or: party, fromUserId: userId }).lean();
    },

    /** Lists first messages, newest thread first; with `userId`, only of that user's threads. */
    async listStarted({ before, userId, limit }: StartedRange): Promise<Message[]> {
      const filter = {
        ...(before && { _id: trusted({ $lt: before }) }),
        ...(userId && { $or: [{ ownerId: userId }, { renterId: userId }] }),
      };
      const found = await messages.find(filter).sort({ _id: -1 }).limit(limit).lean();
      return Promise.all(found.map(toCurrent));
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
      const { bookingId, ownerId, renterId, toolName, isUnpaid } = thread;
      const parties = { bookingId, ownerId, renterId, toolName, ...(isUnpaid && { isUnpaid }) };
      const document = { _id, ...rest, ...parties, sendKey, pending: draft.events(sent) };
      try {
        await messages.create([document]);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const sentBefore = await messages.findOne({ sendKey }).lean();
        if (!sentBefore) throw threadAlreadyOpen();
        if (sentBefore.bookingId !== thread.bookingId || sentBefore.text !== text)
          throw idempotencyKeyReused();
        const found = await toCurrent(sentBefore);
        await this.noteLast(found.thread, found);
        return found;
      }
      void relay.publish('messages', document);
      await this.noteLast(thread, sent);
      return sent;
    },
  };
};
