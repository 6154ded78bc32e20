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
  waitFor(what, ask) as Promise<T>;

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
    const reply = await createIntent(renter, { amount: held.amountCents, holdId: held.id });
    if (reply.status !== 201) refusals.push(reply.status);
    return reply.status === 201 && reply.body;
  });
  await payByCard(intent.clientSecret);
  // The tab is closed here: only the webhook tells payments.
  return { paymentIntent: intentIdOf(intent.clientSecret), amount: held.amountCents };
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
  // Two units each: the first booking must not take the tool off the market.
  const toolIds = await Promise.all(renters.map(() => listTool(owner, { quantity: 2 })));
  await waitFor('the tools to be for rent', async () => {
    const rows = await query('bookings', 'SELECT id FROM tools WHERE owner_id = $1', [owner.id]);
    return rows.length === toolIds.length;
  });

  const attempts: Attempt[] = [];
  const refusals: number[] = [];
  const buying = Promise.all(
    renters.map(async (renter, i) => {
      for (const day of [2, 10]) {
        attempts.push(await purchase(renter, toolIds[i] as string, day, refusals));
      }
    }),
  );
  await waitFor('the first cards to be charged', () => attempts.length >= 3);
  killHard(victim);
  const chargedBefore = attempts.length;
  await buying;

  expect(chargedBefore).toBeLessThan(20);
  expect(attempts).toHaveLength(20);
  // Nobody who buys notices that the broker is away.
  if (victim === 'rabbitmq') expect(refusals).toEqual([]);
  await waitFor('each payment to be a booking', async () => (await bookedCount(owner)) === 20);
  for (const { paymentIntent, amount } of attempts) {
    const intent = await stripe().paymentIntents.retrieve(paymentIntent);
    expect(intent).toMatchObject({ status: 'succeeded', amount });
    expect((await stripe().refunds.list({ payment_intent: paymentIntent })).data).toEqual([]);
  }
  const notices = await waitFor('the notices', async () => {
    const reply = await api().get(`/api/user/${owner.id}/notifications?limit=100`, {
      token: owner.token,
    });
    const booked = (reply.body.notifications ?? []).filter(
      (n: { kind: string }) => n.kind === 'tool-booked',
    );
    return booked.length >= 20 && booked;
  });
  expect(notices).toHaveLength(20);
  expect(await violations()).toEqual([]);
};

const victims = ['rabbitmq', 'bookings', 'payments', 'mongodb'];

describe('a purchase loses nothing and doubles nothing', () => {
  it.each(victims)('when %s is killed in the middle of it', buyThrough);

  it.each(victims)('and %s runs again', (name) => {
    const killed = marketplace().processes.filter((each) => each.name === name);

    expect(killed).not.toEqual([]);
    for (const { pid } of killed) expect(() => process.kill(pid, 0)).not.toThrow();
  });
});
