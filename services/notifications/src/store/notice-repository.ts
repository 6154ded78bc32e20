import type { Notice } from '@lendtools/contracts';
import { createInserter, type MongoRelay } from '@lendtools/event-bus';
import { type Connection, trusted } from 'mongoose';
import { lastToEmail } from '../domain/message-emails.ts';
import { topicOfNotice } from '../domain/topics.ts';
import type { PreferenceRepository } from './preference-repository.ts';
import { purgeAged, purgeSurplus } from './purge-notices.ts';
import {
  createNoticeModel,
  type NewNotice,
  type StoredNotice,
  toNotice,
  toStored,
} from './stored-notice.ts';

export type NoticeRepository = ReturnType<typeof createNoticeRepository>;

export const createNoticeRepository = (
  connection: Connection,
  { relay, preferences }: { relay: MongoRelay; preferences: Pick<PreferenceRepository, 'get'> },
) => {
  const model = createNoticeModel(connection);
  const insert = createInserter<StoredNotice>(model.collection);
  const newestFirst = { _id: -1 } as const;

  const isWanted = async (notice: NewNotice): Promise<boolean> => {
    const topic = topicOfNotice(notice);
    return !topic || (await preferences.get(notice.userId)).notices[topic];
  };

  return {
    /** Adds each notice that its user wants, once per event and person; returns the stored ones in the same order. */
    async add(...all: NewNotice[]): Promise<Notice[]> {
      const areWanted = await Promise.all(all.map(isWanted));
      const stored = all.filter((_, index) => areWanted[index]).map(toStored);
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

    /** Lists notices of a user, newest first. */
    async list(userId: string, before: string | undefined, limit: number): Promise<Notice[]> {
      const older = before === undefined ? {} : { _id: trusted({ $lt: before }) };
      const found = await model
        .find({ userId, ...older })
        .sort(newestFirst)
        .limit(limit)
        .lean();
      return found.map(toNotice);
    },

    async listAll(userId: string): Promise<Notice[]> {
      return (await model.find({ userId }).sort({ _id: 1 }).lean()).map(toNotice);
    },

    countUnread: (userId: string): Promise<number> =>
      model.countDocuments({ userId, readAt: null }),

    /** Returns undefined if the user has no notice with this id. Keeps the time of the first read. */
    async markRead(userId: string, id: string): Promise<Notice | undefined> {
      await model.updateOne({ _id: id, userId, readAt: null }, { readAt: new Date() });
      const found = await model.findOne({ _id: id, userId }).lean();
      return found ? toNotice(found) : undefined;
    },

    async markAllRead(userId: string, bookingId?: string): Promise<void> {
      const which = bookingId === undefined ? {} : { bookingId };
      await model.updateMany({ userId, readAt: null, ...which }, { readAt: new Date() });
    },

    async purgeOld(): Promise<number> {
      return (await purgeAged(model)) + (await purgeSurplus(model));
    },

    /** Whether the message was read or another email covers it. Depends only on notices, so every process comes to the same result. */
    async isReadOrCovered(id: string): Promise<boolean> {
      const notice = await model.findById(id).lean();
      // The purge has deleted the notice, which it does only if the notice is read or covered by another email.
      if (!notice) return true;
      const { userId, bookingId, kind } = notice;
      // Use a single query: between two, the user could read a message.
      const unread = await model
        .find(
          { userId, bookingId, kind, readAt: null, _id: trusted({ $lte: id }) },
          { createdAt: 1 },
        )
        .sort({ _id: 1 })
        .lean();
      return lastToEmail(unread)?._id !== id;
    },

    /** A booking continues a question, so the notices about the question's messages lead to the booking. */
    async moveToBooking(
      userIds: string[],
      { questionId, bookingId }: { questionId: string; bookingId: string },
    ): Promise<void> {
      await model.updateMany(
        { userId: trusted({ $in: userIds }), bookingId: questionId },
        { kind: 'message', bookingId },
      );
    },

    /** Deletes a user's notices, and those about the user's messages. */
    async deleteOf(userId: string): Promise<void> {
      await model.deleteMany({ userId });
      await model.deleteMany({ fromUserId: userId });
    },

    async deleteAbout(bookingIds: string[], userIds: string[]): Promise<void> {
      await model.deleteMany({
        userId: trusted({ $in: userIds }),
        bookingId: trusted({ $in: bookingIds }),
      });
    },

    async findOfBookings(ownerId: string, bookingIds: string[]): Promise<Notice[]> {
      const found = await model
        .find({ userId: ownerId, kind: 'tool-booked', bookingId: trusted({ $in: bookingIds }) })
        .sort(newestFirst)
        .lean();
      return found.map(toNotice);
    },

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
