import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { violations } from '../src/invariants.ts';
import { killHard, marketplace, query } from '../src/marketplace.ts';
import { api, listTool, newPerson, type Person } from '../src/people.ts';
import { createIntent, hold, intentIdOf, line, payByCard, stripe } from '../src/purchases.ts';

interface Attempt {
  paymentIntent: string;
  amount: number;
}

/** Keeps asking while something is down: what a person who presses the button again does. */
const persist = <T>(what: string, ask: () => Promise<T | false>): Promise<T> =>
  waitFor(what, ask, 45_000) as Promise<T>;

/** One purchase, pushed through whatever breaks, with the same key at each try. */
const purchase = async (
  renter: Person,
  toolId: string,
  day: number,
  refusals: number[],
): Promise<Attempt> => {
  const key = `fault-${toolId}-${day}`;
  const held = await persist('a hold', async () => {
    const reply = await hold(
      renter,
      [line(toolId, day, day + 1, { booking_code: `LT${100_000 + day}` })],
      key,
    );
    if (reply.status !== 201) refusals.push(reply.status);
    return reply.status === 201 && reply.body.hold;
  });
  const intent = await persist('an intent', async () => {
    const reply = await createIntent(renter, { amount: held.amount, holdId: held.id });
    if (reply.status !== 201) refusals.push(reply.status);
    return reply.status === 201 && reply.body;
  });
  await payByCard(intent.clientSecret);
  // The tab is closed here: only the webhook tells payments.
  return { paymentIntent: intentIdOf(intent.clientSecret), amount: held.amount };
};

const bookedCount = async (owner: Person): Promise<number> => {
  const rows = await query(
    'bookings',
    `SELECT id FROM bookings WHERE owner_id = $1 AND status = 'confirmed'`,
    [owner.id],
  );
  return rows.length;
};

/** Twenty purchases of one tool on different days, with a kill in the middle of them. */
const buyThrough = async (victim: string): Promise<void> => {
  const owner = await newPerson();
  const renters = await Promise.all(Array.from({ length: 10 }, () => newPerson()));
  const toolIds = await Promise.all(renters.map(() => listTool(owner)));
  await waitFor('the tools to be for rent', async () => {
    const rows = await query('bookings', 'SELECT id FROM tools WHERE owner_id = $1', [owner.id]);
    return rows.length === toolIds.length;
  });

  const refusals: number[] = [];
  const buying = renters.flatMap((renter, i) => [
    purchase(renter, toolIds[i] as string, 2, refusals),
    delay(300).then(() => purchase(renter, toolIds[i] as string, 10, refusals)),
  ]);
  const all = Promise.allSettled(buying);
  await delay(250);
  killHard(victim);
  const attempts = (await all).flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );

  expect(attempts).toHaveLength(20);
  // Nobody who buys notices that the broker is away.
  if (victim === 'rabbitmq') expect(refusals).toEqual([]);
  await waitFor(
    'each payment to be a booking',
    async () => (await bookedCount(owner)) === 20,
    60_000,
  );
  for (const { paymentIntent, amount } of attempts) {
    const intent = await stripe().paymentIntents.retrieve(paymentIntent);
    expect(intent).toMatchObject({ status: 'succeeded', amount });
    expect((await stripe().refunds.list({ payment_intent: paymentIntent })).data).toEqual([]);
  }
  const notices = await waitFor(
    'the notices',
    async () => {
      const reply = await api().get(`/api/user/${owner.id}/notifications?limit=100`, {
        token: owner.token,
      });
      const booked = (reply.body.notifications ?? []).filter(
        (n: { kind: string }) => n.kind === 'tool-booked',
      );
      return booked.length >= 20 && booked;
    },
    60_000,
  );
  expect(notices).toHaveLength(20);
  expect(await violations()).toEqual([]);
};

describe('a purchase loses nothing and doubles nothing', () => {
  it.each(['rabbitmq', 'bookings', 'payments', 'mongodb'])(
    'when %s is killed in the middle of it',
    buyThrough,
    180_000,
  );

  it('and what was killed runs again', async () => {
    const names = marketplace().processes.map((each) => each.name);

    expect(names).toEqual(expect.arrayContaining(['rabbitmq', 'bookings', 'payments', 'mongodb']));
  });
});
