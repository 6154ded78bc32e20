import { randomUUID } from 'node:crypto';
import type { Envelope } from '@lendtools/contracts';
import { Schema, trusted } from 'mongoose';

/** `pending` contains the events to publish; the unique `sendKey` makes a repeated request a no-op. */
export interface StoredText {
  _id: string;
  fromUserId: string;
  text: string;
  createdAt: Date;
  sendKey: string;
  pending: Envelope[];
  /** Whether LendTools hid it, as of the event with this version. */
  isHidden?: boolean;
  hiddenVersion?: number;
}

export const storedTextFields = {
  _id: String,
  fromUserId: String,
  text: String,
  createdAt: Date,
  sendKey: String,
  pending: [Schema.Types.Mixed],
  isHidden: Boolean,
  hiddenVersion: Number,
};

export interface Hiding {
  id: string;
  isHidden: boolean;
  version: number;
}

/** The filter and the update that hide a text or show it again, unless a later version is stored. A repeat matches too. */
export const hidingOf = ({ id, isHidden, version }: Hiding) =>
  [
    { _id: id, hiddenVersion: trusted({ $not: { $gt: version } }) },
    { $set: { isHidden, hiddenVersion: version } },
  ] as const;

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
