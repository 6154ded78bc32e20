import { randomUUIDv7 } from 'node:crypto';
import type { Envelope, Notice } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { type Connection, Schema } from 'mongoose';
import type { NoticeName } from '../domain/topics.ts';

export interface StoredNotice {
  _id: string;
  /** `<event id>:<recipient>`: unique, so that a redelivered event creates no second notice. */
  key: string;
  userId: string;
  kind: Notice['kind'];
  message: string;
  bookingId: string | null;
  fromUserId: string | null;
  readAt: Date | null;
  createdAt: Date;
  pending: Envelope[];
}

export type NewNotice = NoticeName & {
  eventId: string;
  userId: string;
  message: string;
  bookingId: string | null;
  fromUserId?: string;
};

export const toNotice = ({
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

export const toStored = ({ eventId, fromUserId, as: _, ...rest }: NewNotice): StoredNotice => {
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

const noticeSchema = new Schema<StoredNotice>(
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

export type NoticeModel = ReturnType<typeof createNoticeModel>;

export const createNoticeModel = (connection: Connection) =>
  connection.model('Notice', noticeSchema, 'notices');
