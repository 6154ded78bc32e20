import { inBatches } from '@lendtools/service-kit';
import { trusted } from 'mongoose';
import type { NoticeModel, StoredNotice } from './stored-notice.ts';

const dayMs = 86_400_000;
const keepDays = 180;
const maxPerPerson = 1_000;
const batchSize = 1_000;
/** Kinds of notices of which only some get an email: see `lastToEmail`. */
const emailed: StoredNotice['kind'][] = ['message', 'question'];

/** The smallest UUIDv7 of this millisecond. */
const firstIdOf = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/**
 * Selects the notices to delete, given notices sorted oldest first: all except each booking's first unread message,
 * because `lastToEmail` counts days from it.
 */
const isNotFirstUnread = () => {
  const seen = new Set<string | null>();
  return ({ kind, readAt, bookingId }: Pick<StoredNotice, 'kind' | 'readAt' | 'bookingId'>) => {
    if (!emailed.includes(kind) || readAt || seen.has(bookingId)) return true;
    seen.add(bookingId);
    return false;
  };
};

/** Only published notices are deleted: deleting an unpublished one would lose its event. */
const published = { pending: trusted({ $size: 0 }) };

const deleteAll = async (model: NoticeModel, notices: { _id: string }[]): Promise<number> => {
  if (notices.length === 0) return 0;
  const ids = notices.map(({ _id }) => _id);
  return (await model.deleteMany({ _id: trusted({ $in: ids }) })).deletedCount;
};

export const purgeAged = async (model: NoticeModel): Promise<number> => {
  const _id = trusted({ $lt: firstIdOf(Date.now() - keepDays * dayMs) });
  const isDone = [{ readAt: trusted({ $ne: null }) }, { kind: trusted({ $nin: emailed }) }];
  return inBatches({ batchSize }, async () => {
    const found = await model
      .find({ _id, ...published, $or: isDone }, { _id: 1 })
      .sort({ _id: 1 })
      .limit(batchSize)
      .lean();
    return deleteAll(model, found);
  });
};

export const purgeSurplus = async (model: NoticeModel): Promise<number> => {
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
    deleted += await deleteAll(model, oldest.filter(isNotFirstUnread()));
  }
  return deleted;
};
