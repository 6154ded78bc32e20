import { describe, expect, it } from '@jest/globals';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import { waitFor } from '@lendtools/testing';
import { isRunning } from '../../infra/local/os-process.ts';
import { violations } from '../src/invariants.ts';
import { killHard, marketplace, query } from '../src/marketplace.ts';
import { api, listTool, newPerson, type Person } from '../src/people.ts';
import { type Charge, payForHold, persist, purchase } from '../src/persistent-purchase.ts';
import {
  approvalOf,
  bookingsOf,
  buyAndCloseTheTab,
  intentIdOf,
  line,
  request,
  stripe,
} from '../src/purchases.ts';

const bookedCount = async (owner: Person): Promise<number> => {
  const rows = await query(
    'bookings',
    `SELECT id FROM bookings WHERE owner_id = $1 AND status = 'confirmed'`,
    [owner.id],
  );
  return rows.length;
};

/** Kills a process while ten renters make two purchases each. */
const buyThrough = async (victim: string): Promise<void> => {
  const owner = await newPerson();
  const renters = await Promise.all(Array.from({ length: 10 }, () => newPerson()));
  // List two units: with one, the first booking would make the tool unavailable.
  const toolIds = await Promise.all(renters.map(() => listTool(owner, { quantity: 2 })));
  await waitFor('bookings to store the tools', async () => {
    const rows = await query('bookings', 'SELECT id FROM tools WHERE owner_id = $1', [owner.id]);
    return rows.length === toolIds.length;
  });

  const attempts: Charge[] = [];
  const rejections: string[] = [];
  const buying = Promise.all(
    renters.map(async (renter, i) => {
      for (const day of [2, 10]) {
        attempts.push(await purchase(renter, toolIds[i] as string, { day, rejections }));
      }
    }),
  );
  await waitFor('the first cards to be charged', () => attempts.length >= 3);
  killHard(victim);
  const chargedBefore = attempts.length;
  await buying;

  expect(chargedBefore).toBeLessThan(20);
  expect(attempts).toHaveLength(20);
  if (victim === 'rabbitmq') expect(rejections).toEqual([]);
  await waitFor('a booking for each payment', async () => (await bookedCount(owner)) === 20);
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

/** Kills a process while eight requests are accepted and two withdrawn. */
const acceptThrough = async (victim: string): Promise<void> => {
  const owner = await newPerson();
  const renters = await Promise.all(Array.from({ length: 10 }, () => newPerson()));
  const terms = JSON.stringify({ booking: 'request', staysListed: true });
  const requested = await Promise.all(
    renters.map(async (renter) => {
      const toolId = await listTool(owner, { terms });
      const id = await request(renter, [line(toolId)]);
      return { renter, id, approvalId: await approvalOf(renter, id) };
    }),
  );
  const answer = ({ renter, approvalId }: (typeof requested)[number], how: 'accept' | 'withdraw') =>
    persist(`the ${how}`, async () => {
      const who = how === 'accept' ? owner : renter;
      const at = `/api/user/${who.id}/approvals/${approvalId}/${how}`;
      const reply = await api().post(at, { token: who.token, body: {} });
      return reply.status === 200;
    });

  const accepted = requested.slice(0, 8);
  const answering = Promise.all([
    ...accepted.map((one) => answer(one, 'accept')),
    ...requested.slice(8).map((one) => answer(one, 'withdraw')),
  ]);
  killHard(victim);
  await answering;

  await waitFor('a booking for each accepted request', async () => {
    return (await bookedCount(owner)) === accepted.length;
  });
  await waitFor('the invariants to hold', async () => (await violations()).length === 0);
  const ids = requested.map(({ id }) => id);
  const rows = await query<{ status: string; count: number }>(
    'bookings',
    'SELECT status, count(*)::int AS count FROM bookings WHERE id = ANY($1) GROUP BY 1 ORDER BY 1',
    [ids],
  );
  expect(rows).toEqual([
    { status: 'confirmed', count: 8 },
    { status: 'withdrawn', count: 2 },
  ]);
};

interface Cancellation {
  by: 'renter' | 'owner';
  policy?: CancellationPolicy;
  hours: number;
  cents: number;
}

/** Cancellations before and after each policy's deadlines, far enough from them to work at any time of day. */
const cancellations: readonly Cancellation[] = [
  { by: 'renter', hours: 2, cents: 7_500 },
  { by: 'renter', policy: 'flexible', hours: 72, cents: 7_500 },
  { by: 'renter', policy: 'flexible', hours: 2, cents: 3_750 },
  { by: 'renter', policy: 'moderate', hours: 72, cents: 3_750 },
  { by: 'renter', policy: 'moderate', hours: 2, cents: 0 },
  { by: 'renter', policy: 'strict', hours: 216, cents: 3_750 },
  { by: 'owner', policy: 'strict', hours: 2, cents: 7_500 },
  { by: 'owner', hours: 72, cents: 7_500 },
];

/**
 * Makes a booking that starts in some hours. Backdates its payment by thirty days, because a recently paid booking can
 * be cancelled with a full refund.
 */
const bookedBy = async (owner: Person, { by, policy, hours }: Cancellation) => {
  const renter = await newPerson();
  const toolId = await listTool(owner, {
    price: 25,
    terms: JSON.stringify({ staysListed: true, cancellation: policy }),
  });
  // Retry, because the process that the previous test killed may still be restarting.
  const { clientSecret } = await persist('a purchase', () =>
    buyAndCloseTheTab(renter, [line(toolId, 30, 33)]),
  );
  const [{ id }] = await persist('the booking', async () => {
    const found = await bookingsOf(renter);
    return found.length > 0 && found;
  });
  await query(
    'bookings',
    `UPDATE bookings SET starts_at = now() + $2 * interval '1 hour',
       ends_at = now() + ($2 + 72) * interval '1 hour', booked_at = now() - interval '30 days' WHERE id = $1`,
    [id, hours],
  );
  return {
    id: String(id),
    canceller: by === 'owner' ? owner : renter,
    intent: intentIdOf(clientSecret),
  };
};

const cancelThrough = async (victim: string): Promise<void> => {
  const owner = await newPerson();
  const bookings = await Promise.all(cancellations.map((each) => bookedBy(owner, each)));
  const previews = await Promise.all(
    bookings.map(async ({ id, canceller }) => {
      const { body } = await api().get(`/api/rentalBookings/${id}/cancel-preview`, canceller);
      return body.preview.refundCents as number;
    }),
  );

  const cancelling = Promise.all(
    bookings.map(({ id, canceller }, i) =>
      persist('the cancellation', async () => {
        const path = `/api/user/${canceller.id}/rentalBookings/cancel-booking/${id}`;
        const body = { refundCents: previews[i] };
        return (await api().post(path, { token: canceller.token, body })).status === 200;
      }),
    ),
  );
  const ids = bookings.map(({ id }) => id);
  await waitFor('the first cancellation', async () => {
    const sql = `SELECT FROM bookings WHERE id = ANY($1) AND status = 'cancelled'`;
    return (await query('bookings', sql, [ids])).length > 0;
  });
  killHard(victim);
  await cancelling;

  expect(previews).toEqual(cancellations.map(({ cents }) => cents));
  const refundsAtStripe = () =>
    Promise.all(
      bookings.map(async ({ intent }) => {
        const { data } = await stripe().refunds.list({ payment_intent: intent });
        return data.map(({ amount }) => amount);
      }),
    );
  const expected = previews.map((cents) => (cents > 0 ? [cents] : []));
  await waitFor(
    'the refunds',
    async () => (await refundsAtStripe()).flat().length >= expected.flat().length,
  );
  await waitFor('the invariants to hold', async () => (await violations()).length === 0);
  expect(await refundsAtStripe()).toEqual(expected);
};

/** Kills a process while six bookings are extended by two days and four shortened by one. */
const changeThrough = async (victim: string): Promise<void> => {
  const owner = await newPerson();
  const bookings = await Promise.all(
    Array.from({ length: 10 }, () => bookedBy(owner, { by: 'renter', hours: 720, cents: 0 })),
  );
  const isLonger = (i: number) => i < 6;
  const changeOne = async ({ id, canceller: renter }: (typeof bookings)[number], i: number) => {
    const path = `/api/user/${renter.id}/rentalBookings/change-booking/${id}`;
    const { booking_code: _, rental_id: __, ...dates } = line('', 30, isLonger(i) ? 35 : 32);
    const hold = await persist('the change', async () => {
      const reply = await api().post(path, { token: renter.token, body: dates });
      return reply.status === 200 && { paid: reply.body.hold };
    });
    if (hold.paid) await payForHold(renter, hold.paid);
  };

  const changing = Promise.all(bookings.map(changeOne));
  const ids = bookings.map(({ id }) => id);
  await waitFor('the first change', async () => {
    const sql = 'SELECT FROM booking_changes WHERE booking_id = ANY($1)';
    return (await query('bookings', sql, [ids])).length > 0;
  });
  killHard(victim);
  await changing;

  const sums = () =>
    query<{ period: number; paid: number; refunded: number }>(
      'bookings',
      `SELECT b.period, sum(d.amount_cents)::int AS paid, sum(d.refunded_cents)::int AS refunded
       FROM bookings b JOIN allocations d ON d.booking_id = b.id WHERE b.id = ANY($1)
       GROUP BY b.id ORDER BY array_position($1, b.id)`,
      [ids],
    );
  const expected = bookings.map((_, i) =>
    isLonger(i)
      ? { period: 5, paid: 12_500, refunded: 0 }
      : { period: 2, paid: 7_500, refunded: 2_500 },
  );
  await waitFor('each booking to be changed', async () =>
    (await sums()).every(({ period }, i) => period === expected[i]?.period),
  );
  // `violations` compares the sums of the bookings with Stripe's charges and refunds.
  await waitFor('the invariants to hold', async () => (await violations()).length === 0);
  expect(await sums()).toEqual(expected);
};

const victims = ['rabbitmq', 'bookings', 'payments', 'mongodb'];

describe('a marketplace in which a process is killed', () => {
  it.each(victims)('neither loses nor duplicates a purchase when %s is killed', buyThrough);

  it.each(['bookings', 'payments', 'rabbitmq'])(
    'neither loses nor duplicates a request when %s is killed while requests are accepted and withdrawn',
    acceptThrough,
  );

  it.each(['bookings', 'payments', 'rabbitmq'])(
    'neither loses nor duplicates a cancellation or refund when %s is killed',
    cancelThrough,
  );

  it.each(['bookings', 'payments', 'rabbitmq'])(
    'neither loses nor duplicates a change when %s is killed while changes are made and paid',
    changeThrough,
  );

  it.each(victims)('restarts %s', (name) =>
    waitFor('its restart', async () => {
      const killed = marketplace().processes.filter((each) => each.name === name);
      return killed.length > 0 && killed.every(({ pid }) => isRunning(pid));
    }),
  );
});
