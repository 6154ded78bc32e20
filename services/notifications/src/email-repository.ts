import { createInserter } from '@lendtools/event-bus';
import { batchCalls } from '@lendtools/service-kit';
import { type Connection, type mongo, Schema, trusted } from 'mongoose';

/** An email, ready to leave. */
export interface Email {
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  /** An iCalendar file, to be attached. */
  calendar?: string | undefined;
  /** Of the event that it is about, where that is traced. */
  traceparent?: string | null;
}

/** A line of the email log. What was written (`html`, `text`, `calendar`) may hold a mailed token: it goes once it is sent. */
interface StoredEmail extends Email {
  _id: string;
  status: 'queued' | 'sent' | 'unneeded' | 'failed';
  attempts: number;
  /** When to try next; of one being tried, when its sender counts as dead. */
  dueAt: Date;
  giveUpAt: Date;
  unlessRead: string | null;
  queuedAt: Date;
  finishedAt: Date | null;
  error: string | null;
}

export interface QueuedEmail extends Email {
  /** `<event id>:<template>:<recipient>`: the same is never queued twice. */
  id: string;
  dueAt?: Date;
  /** After this it is of no use any more. */
  giveUpAt?: Date;
  /** The id of a message's notice: once it is read, or an older one's email speaks for it, the email is unneeded. */
  unlessRead?: string;
}

export type ClaimedEmail = Email &
  Pick<StoredEmail, '_id' | 'attempts' | 'giveUpAt' | 'unlessRead'>;

const days = 86_400_000;
export const emailLogDays = 90;
/** Longer than an SMTP conversation may take by its timeouts, so that no other sender repeats a slow one. */
const leaseMs = 90_000;
/** How long the process that put an email into the log may wait before it begins to send it. */
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

  /** Only the attempt that claimed it may say how it went. */
  const settle = async (
    { _id, attempts }: ClaimedEmail,
    change: Partial<StoredEmail>,
    forget: boolean,
  ): Promise<void> => {
    const unset = forget ? { $unset: { html: 1, text: 1, calendar: 1, dueAt: 1 } } : {};
    const filter = { _id: _id as never, attempts, status: 'queued' };
    await update({ updateOne: { filter, update: { $set: change, ...unset } } });
  };

  return {
    /**
     * Puts an email into the log to be sent; one that is there already is left as it is. With `claim` it is claimed by the
     * same write, for whoever puts it there: they begin to send it within `turnMs`, or give it back.
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

    /** Takes the email that is due longest, alone among all replicas, for the time of a lease. */
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

    /** What MongoDB deletes by its index as well, but not every server that stands in for it. */
    async purgeOld(): Promise<number> {
      const before = new Date(Date.now() - emailLogDays * days);
      // A replica of the version before finishes an email without taking its calendar off.
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
