import { randomUUID } from 'node:crypto';
import type { Envelope } from '@lendtools/contracts';
import { Schema } from 'mongoose';

/** `pending` contains the events to publish; the unique `sendKey` makes a repeated request a no-op. */
export interface StoredText {
  _id: string;
  fromUserId: string;
  text: string;
  createdAt: Date;
  sendKey: string;
  pending: Envelope[];
}

export const storedTextFields = {
  _id: String,
  fromUserId: String,
  text: String,
  createdAt: Date,
  sendKey: String,
  pending: [Schema.Types.Mixed],
};

/** `events` creates the events to publish from the stored text; `key` is the sender's Idempotency-Key. */
export interface Draft<T> {
  fromUserId: string;
  text: string;
  key: string | undefined;
  events: (sent: T) => Envelope[];
}

/** Without an Idempotency-Key every request counts as new. */
export const sendKeyOf = (fromUserId: string, key: string | undefined): string =>
  `${fromUserId}:${key ?? randomUUID()}`;
