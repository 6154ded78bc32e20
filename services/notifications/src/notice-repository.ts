import { randomUUIDv7 } from 'node:crypto';
import type { Envelope, Notice } from '@lendtools/contracts';
import { createInserter, type MongoRelay, newEvent } from '@lendtools/event-bus';
import { inBatches } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

interface StoredNotice {
  _id: string;
  /** `<event id>:<recipient>`: unique, so that a redelivered event creates no second notice. */
  key: string;
  userId: string;
  kind: Notice['kind'];
  message: string;
  bookingId: string | null;
  /** The author, for a message. */
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
const maxPerPerson = 1_000;
const batchSize = 1_000;

/** The smallest UUIDv7 of this millisecond. */
const firstIdOf = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/**
 * A filter for notices, oldest first: keeps the first unread message of each booking, from which its emails are
 * counted.
 */
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
  /** Only notices whose event is published; otherwise deleting them would lose it. */
  const published = { pending: trusted({ $size: 0 }) };

  const deleteAll = async (notices: { _id: string }[]): Promise<number> => {
    if (notices.length === 0) return 0;
    const ids = notices.map(({ _id }) => _id);
    return (await model.deleteMany({ _id: trusted({ $in: ids }) })).deletedCount;
  };

  /** Keeps unread messages, because a booking's emails are counted from the first of them. */
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
        { $match: { count: { $gt: maxPerPerson } } },
      ])
      .allowDiskUse(true);
    let deleted = 0;
    for (const { _id: userId, count } of crowded) {
      const oldest = await model
        .find({ userId, ...published }, { kind: 1, bookingId: 1, readAt: 1 })
        .sort({ _id: 1 })
        .limit(Math.min(count - maxPerPerson, batchSize))
        .lean();
      deleted += await deleteAll(oldest.filter(isNotFirstUnread()));
    }
    return deleted;
  };

  return {
    /** Adds notices, each once per event and person; returns the stored ones in the same order. */
    async add(...wanted: NewNotice[]): Promise<Notice[]> {
      const stored = wanted.map(toStored);
      const isNew = await Promise.all(stored.map(insert));
      for (const [i, each] of stored.entries()) if (isNew[i]) void relay.publish('notices', each);
      if (!isNew.includes(false)) return stored.map(toNotice);
      const keys = stored.map(({ key }) => key);
      const kept = await model.find({ key: trusted({ $in: keys }) }).lean();
      return keys.map((key) => {
        const one = kept.find((each) => each.key === key);
        if (!one) throw new Error(`The notice ${key} was neither inserted nor found`);
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

    /**
     * Marks a person's own notice as read; undefined if they have none with this id. Keeps the time of the first
     * read.
     */
    async markRead(userId: string, id: string): Promise<Notice | undefined> {
      await model.updateOne({ _id: id, userId, readAt: null }, { readAt: new Date() });
      const found = await model.findOne({ _id: id, userId }).lean();
      return found ? toNotice(found) : undefined;
    },

    /** Marks a person's notices as read: all of them, or those of one booking. */
    async markAllRead(userId: string, bookingId?: string): Promise<void> {
      const which = bookingId === undefined ? {} : { bookingId };
      await model.updateMany({ userId, readAt: null, ...which }, { readAt: new Date() });
    },

    /** Deletes notices older than half a year, and all but a person's newest thousand; returns the count. */
    async purgeOld(): Promise<number> {
      return (await purgeAged()) + (await purgeSurplus());
    },

    /**
     * Whether the email of a message's notice is unneeded, because the message was read or another email covers it.
     * Of a booking's unread messages the first is emailed, then each that comes a day or more after the last emailed
     * one. The result depends on the notices alone, so every sender gets the same, in any order.
     */
    async isReadOrCovered(id: string): Promise<boolean> {
      const notice = await model.findById(id).lean();
      // Only notices that are read or covered are purged.
      if (!notice) return true;
      const { userId, bookingId } = notice;
      // One query, because a read between two queries would make them inconsistent.
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

    async findOfBookings(ownerId: string, bookingIds: string[]): Promise<Notice[]> {
      const found = await model
        .find({ userId: ownerId, kind: 'tool-booked', bookingId: trusted({ $in: bookingIds }) })
        .sort(newestFirst)
        .lean();
      return found.map(toNotice);
    },

    /** The notices of a person's messages, optionally to one recipient. */
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
