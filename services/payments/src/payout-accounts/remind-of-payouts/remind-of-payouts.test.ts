import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { runTasksNow } from '@lendtools/service-kit';
import { bookingCreated, waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { payoutAccounts } from '../../../test/payout-accounts.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  accounts = payoutAccounts(payments);
});
afterAll(() => payments.stop());

type Owner = Awaited<ReturnType<TestPayments['signIn']>>;

const book = async (owner: Owner, overrides: object = {}) => {
  const data = bookingCreated({ ownerId: owner.userId, ...overrides });
  await payments.broker.send(newEvent('BookingCreated', { id: data.bookingId, version: 1 }, data));
};
/** Moves an owner's earnings in the ledger. */
const earn = ({ userId }: Owner, from: string, to: string) =>
  payments.pool.query(
    `INSERT INTO ledger (key, line, from_account, to_account, cents, owner_id, happened_at) VALUES ($1, 1, $2, $3, 4200, $4, now())`,
    [randomUUID(), from, to, userId],
  );
const booked = async (): Promise<Owner> => {
  const owner = await payments.signIn();
  await book(owner);
  await waitFor('the row', () => accounts.row(owner));
  await earn(owner, 'operator', 'pending');
  return owner;
};
const bookedAgo = (owner: Owner, age: string) =>
  payments.pool.query(
    'UPDATE payout_accounts SET first_booked_at = now() - $2::interval WHERE owner_id = $1',
    [owner.userId, age],
  );
const reminders = (owner: Owner) => accounts.published('PayoutReminderDue', owner);
const reminded = (owner: Owner, count: number) =>
  waitFor(`${count} reminders`, () => reminders(owner).length === count);
const scheduledAt = async (owner: Owner): Promise<Date | undefined> => {
  const { rows } = await payments.pool.query(
    `SELECT run_at FROM graphile_worker.jobs WHERE key = 'remind-of-payouts:' || $1`,
    [owner.userId],
  );
  return rows[0]?.run_at;
};
/** Waits until another owner was reminded: what was due before is done by then. */
const settle = async () => {
  const other = await booked();
  await bookedAgo(other, '25 hours');
  await reminded(other, 1);
};

describe('remind-of-payouts', () => {
  it('reminds an owner 1, 7 and 30 days after the first paid booking, and no more', async () => {
    const owner = await booked();

    for (const [count, age] of [
      [1, '25 hours'],
      [2, '169 hours'],
      [3, '721 hours'],
    ] as const) {
      await bookedAgo(owner, age);
      await reminded(owner, count);
    }

    expect(reminders(owner)[0]?.data).toEqual({ ownerId: owner.userId, state: 'not-started' });
    expect(await scheduledAt(owner)).toBeUndefined();
  });

  it('is scheduled for the days after the booking, even if the task runs early', async () => {
    const owner = await booked();
    const { first_booked_at: bookedAt } = await accounts.row(owner);
    const tomorrow = new Date(bookedAt.getTime() + 86_400_000);

    const first = await scheduledAt(owner);
    await runTasksNow(payments.pool);
    await waitFor('the task', async () => +((await scheduledAt(owner)) ?? 0) === +tomorrow);

    expect(first).toEqual(tomorrow);
    expect(reminders(owner)).toEqual([]);
  });

  it('reminds once after an outage of eight days', async () => {
    const owner = await booked();

    await bookedAgo(owner, '8 days');
    await reminded(owner, 1);
    await settle();

    expect(reminders(owner)).toHaveLength(1);
    expect(await accounts.row(owner)).toMatchObject({ reminders: 2 });
  });

  it('does not remind an owner whose booking was refunded, until the next one', async () => {
    const owner = await booked();
    await earn(owner, 'pending', 'operator');

    await bookedAgo(owner, '25 hours');
    await waitFor('the end', async () => (await accounts.row(owner)).first_booked_at === null);
    const remindedOnce = reminders(owner);
    await book(owner);
    await waitFor('the booking', async () => (await accounts.row(owner)).first_booked_at !== null);
    await earn(owner, 'operator', 'pending');
    await bookedAgo(owner, '25 hours');

    await reminded(owner, 1);
    expect(remindedOnce).toEqual([]);
  });

  it('reminds an owner who left the onboarding unfinished', async () => {
    const owner = await booked();
    await accounts.onboard(owner, 'leave');

    await bookedAgo(owner, '25 hours');

    await reminded(owner, 1);
    expect(reminders(owner)[0]?.data).toMatchObject({ state: 'incomplete' });
  });

  it.each([
    ['is ready', 'complete'],
    ['waits for Stripe', 'pending'],
  ])('does not remind an owner who %s, even if the webhook got lost', async (_, outcome) => {
    const owner = await booked();
    await accounts.onboard(owner, outcome);

    await bookedAgo(owner, '25 hours');
    await settle();

    await waitFor('the task to end', async () => (await scheduledAt(owner)) === undefined);
    expect(reminders(owner)).toEqual([]);
  });

  it('does not remind an owner whose payouts Stripe stopped after they were set up', async () => {
    const { owner, accountId } = await accounts.ready();
    await book(owner);
    await waitFor('the row', async () => (await accounts.row(owner)).first_booked_at);
    await earn(owner, 'operator', 'pending');
    await payments.restrict(accountId);

    await bookedAgo(owner, '25 hours');
    await settle();

    await waitFor('the task to end', async () => (await scheduledAt(owner)) === undefined);
    expect(reminders(owner)).toEqual([]);
  });

  it('does not remind a disabled owner', async () => {
    const owner = await booked();
    await payments.broker.send(
      newEvent(
        'AccountDisabled',
        { id: owner.userId, version: 2 },
        { userId: owner.userId, disabled: true },
      ),
    );
    await waitFor('the hold', async () => (await accounts.row(owner)).owner_disabled);

    await bookedAgo(owner, '25 hours');
    await settle();

    expect(reminders(owner)).toEqual([]);
  });
});

describe('payments.expect-account-when-booking-created', () => {
  const queue = 'payments.expect-account-when-booking-created';

  it('keeps the first booking when events are repeated or late', async () => {
    const owner = await payments.signIn();
    await earn(owner, 'operator', 'pending');
    const data = bookingCreated({ ownerId: owner.userId });
    const at = (occurredAt: string) => ({
      ...newEvent('BookingCreated', { id: randomUUID(), version: 1 }, data),
      occurredAt,
    });
    const first = at('2026-06-01T12:00:00.000Z');

    for (const event of [
      at('2026-06-02T12:00:00.000Z'),
      first,
      first,
      at('2026-06-03T12:00:00.000Z'),
    ])
      await payments.broker.send(event);
    await settle();

    expect((await accounts.row(owner)).first_booked_at.toISOString()).toBe(first.occurredAt);
  });

  it('ignores a free booking', async () => {
    const owner = await payments.signIn();
    await book(owner, { totalCents: 0 });
    await settle();

    expect(await accounts.row(owner)).toBeUndefined();
  });

  it('dead-letters an unreadable message and continues', async () => {
    await payments.broker.sendRaw(queue, '{"type":"Nonsense"}');
    await settle();

    await waitFor('the dead letter', async () => (await payments.broker.countDead(queue)) === 1);
  });
});
