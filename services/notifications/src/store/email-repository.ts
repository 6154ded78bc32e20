import type { Topic } from '@lendtools/contracts';
import { createInserter } from '@lendtools/event-bus';
import { batchCalls } from '@lendtools/service-kit';
import { type Connection, type mongo, Schema, trusted } from 'mongoose';

/** Attached when the email is sent: the payment's receipt, or the credit note of one of its refunds. */
export interface AttachedReceipt {
  paymentId: string;
  /** Stripe's id of the refund. */
  refundId?: string;
}

export interface Email {
  userId?: string | null;
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  calendar?: string | undefined;
  receipts?: AttachedReceipt[];
  /** The email is dropped if the user has turned this topic off by the time it is sent. */
  topic?: Topic;
  unsubscribeUrl?: string;
  traceparent?: string | null;
}

/** Content, recipient's name and tokens are removed once the email is sent. */
interface StoredEmail extends Email {
  _id: string;
  status: 'queued' | 'sent' | 'unneeded' | 'failed';
  attempts: number;
  /** The next attempt; for a claimed email, when its lease expires. */
  dueAt: Date;
  giveUpAt: Date;
  unlessRead: string | null;
  queuedAt: Date;
  finishedAt: Date | null;
  error: string | null;
}

export interface QueuedEmail extends Email {
  /** `<event id>:<template>:<recipient>`. */
  id: string;
  dueAt?: Date;
  giveUpAt?: Date;
  /** The id of a message's notice. The email is dropped if this notice is read or an earlier email covers it. */
  unlessRead?: string;
}

export type ClaimedEmail = Email &
  Pick<StoredEmail, '_id' | 'attempts' | 'giveUpAt' | 'unlessRead' | 'queuedAt'>;

const days = 86_400_000;
export const emailLogDays = 90;
/** How long a claim lasts: longer than an SMTP conversation with its timeouts, so that no other process sends the email again. */
const leaseMs = 90_000;
/** A process that claims an email when queuing it must start to send it within this time, or releases the claim. */
export const turnMs = 10_000;

export type EmailRepository = ReturnType<typeof createEmailRepository>;

const emailSchema = new Schema<StoredEmail>(
  {
    _id: String,
    userId: String,
    to: { name: String, address: String },
    subject: String,
    html: String,
    text: String,
    calendar: String,
    receipts: [{ _id: false, paymentId: String, refundId: String }],
    topic: String,
    unsubscribeUrl: String,
    traceparent: String,
    status: String,
    attempts: Number,
    dueAt: Date,
    giveUpAt: Date,
    unlessRead: String,
    queuedAt: Date,
    finishedAt: Date,
    error: String,
  },
  { versionKey: false, id: false },
);

const removedContent = {
  'to.name': 1,
  subject: 1,
  html: 1,
  text: 1,
  calendar: 1,
  unsubscribeUrl: 1,
  dueAt: 1,
};

export const createEmailRepository = (connection: Connection) => {
  const model = connection.model('Email', emailSchema, 'emails');
  const insert = createInserter<StoredEmail>(model.collection);
  const update = batchCalls(async (updates: mongo.AnyBulkWriteOperation[]) => {
    await model.collection.bulkWrite(updates, { ordered: false });
    return updates;
  });

  /** Stores the result of an attempt to send an email. No-op if the attempt no longer holds the claim. */
  const settle = async (
    { _id, attempts }: ClaimedEmail,
    change: Partial<StoredEmail>,
    removeContent: boolean,
  ): Promise<void> => {
    const unset = removeContent ? { $unset: removedContent } : {};
    const filter = { _id: _id as never, attempts, status: 'queued' };
    await update({ updateOne: { filter, update: { $set: change, ...unset } } });
  };

  return {
    /** Stores an email; no-op if the id exists. `claim` also claims it for the caller, which sends it within `turnMs` or releases it. */
    async queue(
      { id: _id, dueAt, giveUpAt, unlessRead, ...email }: QueuedEmail,
      { claim }: { claim: boolean },
    ): Promise<ClaimedEmail | undefined> {
      const now = Date.now();
      const stored: StoredEmail = {
        _id,
        ...email,
        status: 'queued',
        attempts: claim ? 1 : 0,
        dueAt: claim ? new Date(now + turnMs + leaseMs) : (dueAt ?? new Date(now)),
        giveUpAt: giveUpAt ?? new Date(now + 3 * days),
        unlessRead: unlessRead ?? null,
        queuedAt: new Date(now),
        finishedAt: null,
        error: null,
      };
      return (await insert(stored)) && claim ? stored : undefined;
    },

    /** Claims the email that has been due longest, until its lease expires. */
    async claim(): Promise<ClaimedEmail | undefined> {
      const now = Date.now();
      const claimed = await model
        .findOneAndUpdate(
          { status: 'queued', dueAt: trusted({ $lte: new Date(now) }) },
          { $set: { dueAt: new Date(now + leaseMs) }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after' },
        )
        .lean();
      return claimed ?? undefined;
    },

    finish: (email: ClaimedEmail, status: 'sent' | 'unneeded'): Promise<void> =>
      settle(email, { status, finishedAt: new Date(), error: null }, true),

    giveUp: (email: ClaimedEmail, error: string): Promise<void> =>
      settle(email, { status: 'failed', finishedAt: new Date(), error }, true),

    /** Deletes old emails. MongoDB's TTL index does this too, but not every compatible server supports TTL indexes. */
    async purgeOld(): Promise<number> {
      const before = new Date(Date.now() - emailLogDays * days);
      const { deletedCount } = await model.deleteMany({ finishedAt: trusted({ $lt: before }) });
      return deletedCount;
    },

    /** The log of emails to a user, oldest first. */
    async listOf(userId: string) {
      const found = await model.find({ userId }).sort({ queuedAt: 1 }).lean();
      return found.map(({ to, status, queuedAt, finishedAt }) => ({
        to: to.address,
        status,
        queuedAt: queuedAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      }));
    },

    /** Deletes all emails to a user, whatever their address was. */
    async deleteOf(userId: string): Promise<void> {
      await model.deleteMany({ userId });
    },

    tryLater: (email: ClaimedEmail, dueAt: Date, error: string | null): Promise<void> =>
      settle(email, { dueAt, error }, false),
  };
};
