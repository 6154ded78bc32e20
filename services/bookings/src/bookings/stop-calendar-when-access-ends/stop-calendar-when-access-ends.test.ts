import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { currentPassword, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

const queue = 'bookings.stop-calendar-when-access-ends';
let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const disabling = ({ userId }: Person, disabled = true) =>
  newEvent('AccountDisabled', { id: userId, version: 2 }, { userId, disabled });
const open = async (person: Person): Promise<string> =>
  (
    await bookings.http.post(`/api/user/${person.userId}/calendar-feed`, {
      ...person,
      body: { password: currentPassword },
    })
  ).body.path;
const isOpen = async (path: string): Promise<boolean> =>
  (await bookings.http.get(path)).status === 200;
const expectItsEnd = (path: string) =>
  waitFor('the end of the calendar', async () => !(await isOpen(path)));

describe(queue, () => {
  it('ends only the calendar feed of the disabled account, once for a duplicate event', async () => {
    const [disabled, other] = [await bookings.person(), await bookings.person()];
    const [path, others] = [await open(disabled), await open(other)];
    const event = disabling(disabled);

    await bookings.broker.send(event);
    await bookings.broker.send(event);

    await expectItsEnd(path);
    expect(await isOpen(others)).toBe(true);
  });

  it('ends the calendar feed of an account whose password changed', async () => {
    const person = await bookings.person();
    const path = await open(person);
    const data = { userId: person.userId, email: 'rita@example.com', firstName: 'Rita' };

    await bookings.broker.send(
      newEvent('PasswordChanged', { id: person.userId, version: 2 }, data),
    );

    await expectItsEnd(path);
  });

  it('keeps a calendar feed that is newer than the event, and one of an account that is enabled again', async () => {
    const person = await bookings.person();
    const late = { ...disabling(person), occurredAt: new Date(Date.now() - 1_000).toISOString() };
    const path = await open(person);

    await bookings.broker.send(late);
    await bookings.broker.send(disabling(person, false));
    const last = await bookings.person();
    const lastPath = await open(last);
    await bookings.broker.send(disabling(last));

    await expectItsEnd(lastPath);
    expect(await isOpen(path)).toBe(true);
  });

  it('ends a calendar feed that was created in the same millisecond as the event', async () => {
    const person = await bookings.person();
    const path = await open(person);
    const event = disabling(person);
    await bookings.pool.query(
      `UPDATE calendar_feeds SET since = $2::timestamptz + interval '900 microseconds'
       WHERE user_id = $1`,
      [person.userId, event.occurredAt],
    );

    await bookings.broker.send(event);

    await expectItsEnd(path);
  });

  it('dead-letters an unreadable message', async () => {
    await bookings.broker.sendRaw(queue, JSON.stringify({ type: 'AccountDisabled', data: 1 }));

    await waitFor('the dead letter', async () => (await bookings.broker.countDead(queue)) === 1);
  });

  it('retries when the database fails briefly', async () => {
    const person = await bookings.person();
    const path = await open(person);
    await failFirstWrites(bookings.pool, 'inbox_messages', 2);

    await bookings.broker.send(disabling(person));

    await expectItsEnd(path);
  });
});
