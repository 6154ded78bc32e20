import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricIn, waitFor } from '@lendtools/testing';
import mongoose, { type Connection } from 'mongoose';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

let service: NotificationsService;
let connection: Connection;
beforeAll(async () => {
  service = await startNotificationsService({ PURGE_INTERVAL_MINUTES: '0.02' });
  connection = await mongoose.createConnection(service.databaseUrl).asPromise();
});
afterAll(async () => {
  await connection.close();
  await service.stop();
});

const days = 86_400_000;

const addNotices = async (
  userId: string,
  count: number,
  fields: {
    daysAgo: number;
    kind?: string;
    readAt?: Date;
    pending?: unknown[];
    bookingId?: string;
  },
): Promise<void> => {
  const { daysAgo, ...rest } = fields;
  const documents = Array.from({ length: count }, (_, i) => {
    const createdAt = new Date(Date.now() - daysAgo * days + i * 1_000);
    const hex = createdAt.getTime().toString(16).padStart(12, '0');
    const _id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
    const stored = {
      kind: 'tool-booked',
      bookingId: null,
      fromUserId: null,
      readAt: null,
      pending: [],
    };
    return {
      _id,
      key: `${_id}:${userId}`,
      userId,
      message: `No. ${i}`,
      ...stored,
      createdAt,
      ...rest,
    };
  });
  await connection.collection('notices').insertMany(documents as never[]);
};

const idsOf = async (userId: string): Promise<string[]> => {
  const found = await connection.collection('notices').find({ userId }).sort({ _id: 1 }).toArray();
  return found.map(({ _id }) => String(_id));
};

const purgedTotal = async (kind: string): Promise<number> => {
  const text = await (await fetch(`${service.running.url}/metrics`)).text();
  // The counter exists only after the first purge.
  return metricIn(text, 'purged_total', { kind }) || 0;
};

describe('the purge of notices', () => {
  it('deletes notices after half a year, except unpublished ones and those of unread messages', async () => {
    const userId = randomUUID();
    await addNotices(userId, 3, { daysAgo: 181 });
    await addNotices(userId, 2, { daysAgo: 181, kind: 'message', readAt: new Date() });
    await addNotices(userId, 1, { daysAgo: 181, kind: 'message' });
    await addNotices(userId, 1, { daysAgo: 181, pending: [{ id: randomUUID() }] });
    await addNotices(userId, 1, { daysAgo: 179 });
    const before = await purgedTotal('notices');

    await waitFor('the purge', async () => (await idsOf(userId)).length === 3);

    await waitFor('the count', async () => (await purgedTotal('notices')) >= before + 5);
  });

  it('keeps a user’s newest thousand notices, and the notice of each booking’s first unread message', async () => {
    const [userId, other] = [randomUUID(), randomUUID()];
    const [one, another] = [randomUUID(), randomUUID()];
    await addNotices(other, 5, { daysAgo: 100 });
    await addNotices(userId, 30, { daysAgo: 20, kind: 'message', bookingId: one });
    await addNotices(userId, 30, { daysAgo: 19, kind: 'message', bookingId: another });
    await addNotices(userId, 20, {
      daysAgo: 18,
      kind: 'message',
      bookingId: one,
      readAt: new Date(),
    });
    await addNotices(userId, 1_000, { daysAgo: 17 });
    const before = await idsOf(userId);

    await waitFor('the purge', async () => (await idsOf(userId)).length === 1_002);

    const after = await idsOf(userId);
    expect(after.slice(0, 2)).toEqual([before[0], before[30]]);
    expect(after.slice(2)).toEqual(before.slice(80));
    expect(await idsOf(other)).toHaveLength(5);
  });
});

describe('the purge of emails', () => {
  it('deletes emails from the log after ninety days', async () => {
    const emails = connection.collection<{ _id: string }>('emails');
    const [old, young, waiting] = [randomUUID(), randomUUID(), randomUUID()];
    await emails.insertMany([
      { _id: old, status: 'sent', finishedAt: new Date(Date.now() - 91 * days) },
      { _id: young, status: 'sent', finishedAt: new Date(Date.now() - 89 * days) },
      { _id: waiting, status: 'unknown', finishedAt: null },
    ] as never[]);

    await waitFor('the purge', async () => (await emails.findOne({ _id: old })) === null);

    expect(await emails.countDocuments({})).toBe(2);
  });
});
