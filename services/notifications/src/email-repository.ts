import { createInserter } from '@lendtools/event-bus';
import { batchCalls } from '@lendtools/service-kit';
import { type Connection, type mongo, Schema, trusted } from 'mongoose';

export interface Email {
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  /** An iCalendar file to attach. */
  calendar?: string | undefined;
  /** The trace of the event that it is about, if any. */
  traceparent?: string | null;
}

/**
 * A row of the email log. `html`, `text` and `calendar` may contain a token and are removed once the email is sent.
 */
interface StoredEmail extends Email {
  _id: string;
  status: 'queued' | 'sent' | 'unneeded' | 'failed';
  attempts: number;
  /** The time of the next attempt; for a claimed email, when its lease expires. */
  dueAt: Date;
  giveUpAt: Date;
  unlessRead: string | null;
  queuedAt: Date;
  finishedAt: Date | null;
  error: string | null;
}

export interface QueuedEmail extends Email {
  /** `<event id>:<template>:<recipient>`; an id is queued only once. */
  id: string;
  dueAt?: Date;
  /** After this the email is useless and is dropped. */
  giveUpAt?: Date;
  /** The id of a message's notice. The email is unneeded once that is read, or if an earlier email covers it. */
  unlessRead?: string;
}

export type ClaimedEmail = Email &
  Pick<StoredEmail, '_id' | 'attempts' | 'giveUpAt' | 'unlessRead'>;

const days = 86_400_000;
export const emailLogDays = 90;
/** Longer than an SMTP conversation may take with its timeouts, so that no other sender repeats a slow one. */
const leaseMs = 90_000;
/** How long an email may wait for the process that queued and claimed it. */
export const turnMs = 10_000;

export type EmailRepository = ReturnType<typeof createEmailRepository>;

export const createEmailRepository = (connection: Connection) => {
  const schema = new Schema<StoredEmail>(
    {
      _id: String,
      to: { name: String, address: String },
      subject: String,
      html: String,
      text: String,
      calendar: String,
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
  const model = connection.model('Email', schema, 'emails');

  const insert = createInserter<StoredEmail>(model.collection);
  const update = batchCalls(async (updates: mongo.AnyBulkWriteOperation[]) => {
    await model.collection.bulkWrite(updates, { ordered: false });
    return updates;
  });

  /** Updates the email only if this attempt still holds the claim. */
  const settle = async (
    { _id, attempts }: ClaimedEmail,
    change: Partial<StoredEmail>,
    removeContent: boolean,
  ): Promise<void> => {
    const unset = removeContent ? { $unset: { html: 1, text: 1, calendar: 1, dueAt: 1 } } : {};
    const filter = { _id: _id as never, attempts, status: 'queued' };
    await update({ updateOne: { filter, update: { $set: change, ...unset } } });
  };

  return {
    /**
     * Adds an email to the log unless its id exists. With `claim`, the same write claims it for the caller, which
     * starts sending it within `turnMs` or releases it.
     */
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

    /** Claims the email that has been due longest, for one replica and the time of a lease. */
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

    /** MongoDB's TTL index also deletes these, but not every compatible server does. */
    async purgeOld(): Promise<number> {
      const before = new Date(Date.now() - emailLogDays * days);
      // A replica of the previous version finishes an email without removing its calendar.
      await model.updateMany(
        { finishedAt: trusted({ $ne: null }), calendar: trusted({ $ne: null }) },
        { $unset: { calendar: 1 } },
      );
      const { deletedCount } = await model.deleteMany({ finishedAt: trusted({ $lt: before }) });
      return deletedCount;
    },

    tryLater: (email: ClaimedEmail, dueAt: Date, error: string | null): Promise<void> =>
      settle(email, { dueAt, error }, false),
  };
};
