import { randomUUIDv7 } from 'node:crypto';
import type { Envelope, Notice } from '@lendtools/contracts';
import { createInserter, type MongoRelay, newEvent } from '@lendtools/event-bus';
import { inBatches } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

interface StoredNotice {
  _id: string;
  /** `<event id>:<recipient>`: unique, so that an event that comes again makes no second notice. */
  key: string;
  userId: string;
  kind: Notice['kind'];
  message: string;
  bookingId: string | null;
  /** Who wrote, of a message. */
  fromUserId: string | null;
  readAt: Date | null;
  createdAt: Date;
  pending: Envelope[];
}

interface NewNotice {
  eventId: string;
  userId: string;
  kind: Notice['kind'];
  message: string;
  bookingId: string | null;
  fromUserId?: string;
}

const toNotice = ({
  _id: id,
  kind,
  message,
  bookingId,
  readAt,
  createdAt,
}: StoredNotice): Notice => ({
  id,
  kind,
  message,
  bookingId,
  readAt: readAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

const toStored = ({ eventId, fromUserId, ...rest }: NewNotice): StoredNotice => {
  const stored: StoredNotice = {
    _id: randomUUIDv7(),
    key: `${eventId}:${rest.userId}`,
    ...rest,
    fromUserId: fromUserId ?? null,
    readAt: null,
    createdAt: new Date(),
    pending: [],
  };
  const notice = toNotice(stored);
  const event = { userId: rest.userId, notice };
  return {
    ...stored,
    pending: [newEvent('NoticeCreated', { id: notice.id, version: 1 }, event)],
  };
};

const dayMs = 86_400_000;
const keepDays = 180;
const mostOfAPerson = 1_000;
const batchSize = 1_000;

/** The least id (a UUIDv7) that a notice of this moment can have. */
const firstIdOf = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** For notices from the oldest on: of what a booking has unread, the first message keeps the count of the emails. */
const isNotFirstUnread = () => {
  const seen = new Set<string | null>();
  return ({ kind, readAt, bookingId }: Pick<StoredNotice, 'kind' | 'readAt' | 'bookingId'>) => {
    if (kind !== 'message' || readAt || seen.has(bookingId)) return true;
    seen.add(bookingId);
    return false;
  };
};

export type NoticeRepository = ReturnType<typeof createNoticeRepository>;

export const createNoticeRepository = (connection: Connection, relay: MongoRelay) => {
  const schema = new Schema<StoredNotice>(
    {
      _id: String,
      key: String,
      userId: String,
      kind: String,
      message: String,
      bookingId: String,
      fromUserId: String,
      readAt: Date,
      createdAt: Date,
      pending: [Schema.Types.Mixed],
    },
    { versionKey: false, id: false },
  );
  const model = connection.model('Notice', schema, 'notices');
  const insert = createInserter<StoredNotice>(model.collection);
  const newestFirst = { _id: -1 } as const;
  /** Its event has been published, or nobody would know of it. */
  const published = { pending: trusted({ $size: 0 }) };

  const deleteAll = async (notices: { _id: string }[]): Promise<number> => {
    if (notices.length === 0) return 0;
    const ids = notices.map(({ _id }) => _id);
    return (await model.deleteMany({ _id: trusted({ $in: ids }) })).deletedCount;
  };

  /** Unread messages stay: their emails are counted from the first of them. */
  const purgeAged = async (): Promise<number> => {
    const _id = trusted({ $lt: firstIdOf(Date.now() - keepDays * dayMs) });
    const isDone = [
      { readAt: trusted({ $ne: null }) },
      { kind: trusted({ $ne: 'message' as const }) },
    ];
    return inBatches({ batchSize }, async () => {
      const found = await model
        .find({ _id, ...published, $or: isDone }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(batchSize)
        .lean();
      return deleteAll(found);
    });
  };

  const purgeSurplus = async (): Promise<number> => {
    const crowded = await model
      .aggregate<{ _id: string; count: number }>([
        { $group: { _id: '$userId', count: { $sum: 1 } } },
        { $match: { count: { $gt: mostOfAPerson } } },
      ])
      .allowDiskUse(true);
    let forgotten = 0;
    for (const { _id: userId, count } of crowded) {
      const oldest = await model
        .find({ userId, ...published }, { kind: 1, bookingId: 1, readAt: 1 })
        .sort({ _id: 1 })
        .limit(Math.min(count - mostOfAPerson, batchSize))
        .lean();
      forgotten += await deleteAll(oldest.filter(isNotFirstUnread()));
    }
    return forgotten;
  };

  return {
    /** Tells people of an event, each once; returns the notices that there are, in the same order. */
    async add(...wanted: NewNotice[]): Promise<Notice[]> {
      const stored = wanted.map(toStored);
      const isNew = await Promise.all(stored.map(insert));
      for (const [i, each] of stored.entries()) if (isNew[i]) void relay.publish('notices', each);
      if (!isNew.includes(false)) return stored.map(toNotice);
      const keys = stored.map(({ key }) => key);
      const kept = await model.find({ key: trusted({ $in: keys }) }).lean();
      return keys.map((key) => {
        const one = kept.find((each) => each.key === key);
        if (!one) throw new Error(`The notice ${key} is neither new nor there`);
        return toNotice(one);
      });
    },

    /** A person's notices before a given one, newest first. */
    async list(userId: string, before: string | undefined, limit: number): Promise<Notice[]> {
      const older = before === undefined ? {} : { _id: trusted({ $lt: before }) };
      const found = await model
        .find({ userId, ...older })
        .sort(newestFirst)
        .limit(limit)
        .lean();
      return found.map(toNotice);
    },

    countUnread: (userId: string): Promise<number> =>
      model.countDocuments({ userId, readAt: null }),

    /** Marks a person's own notice read; undefined when they have no such one. Read again, it keeps its time. */
    async markRead(userId: string, id: string): Promise<Notice | undefined> {
      await model.updateOne({ _id: id, userId, readAt: null }, { readAt: new Date() });
      const found = await model.findOne({ _id: id, userId }).lean();
      return found ? toNotice(found) : undefined;
    },

    /** Of all bookings, or of one. */
    async markAllRead(userId: string, bookingId?: string): Promise<void> {
      const which = bookingId === undefined ? {} : { bookingId };
      await model.updateMany({ userId, readAt: null, ...which }, { readAt: new Date() });
    },

    /** Deletes those of half a year ago, and all but the newest thousand of a person; answers how many went. */
    async purgeOld(): Promise<number> {
      return (await purgeAged()) + (await purgeSurplus());
    },

    /**
     * Whether the email of a message's notice is unneeded: the message was read, or another's email speaks for it. Of
     * what a booking has unread the first is mailed, then each that comes a day or more after the last such one. That
     * follows from the notices alone, so every sender finds the same, in whatever order it asks.
     */
    async isReadOrSpokenFor(id: string): Promise<boolean> {
      const notice = await model.findById(id).lean();
      // Only those are forgotten that were read or spoken for.
      if (!notice) return true;
      const { userId, bookingId } = notice;
      // One question, because all may be read between two.
      const unread = await model
        .find(
          { userId, bookingId, kind: 'message', readAt: null, _id: trusted({ $lte: id }) },
          { createdAt: 1 },
        )
        .sort({ _id: 1 })
        .lean();
      let mailed = unread[0];
      for (const next of unread) {
        if (mailed && next.createdAt.getTime() - mailed.createdAt.getTime() >= dayMs) mailed = next;
      }
      return mailed?._id !== id;
    },

    /** The notices that bookings made for their owner. */
    async findOfBookings(ownerId: string, bookingIds: string[]): Promise<Notice[]> {
      const found = await model
        .find({ userId: ownerId, kind: 'tool-booked', bookingId: trusted({ $in: bookingIds }) })
        .sort(newestFirst)
        .lean();
      return found.map(toNotice);
    },

    /** The notices that a person's messages made, for one other person if they are named. */
    async findOfMessages(fromUserId: string, userId: string | undefined): Promise<Notice[]> {
      const found = await model
        .find({ ...(userId && { userId }), fromUserId, kind: 'message' })
        .sort(newestFirst)
        .limit(50)
        .lean();
      return found.map(toNotice);
    },
  };
};
