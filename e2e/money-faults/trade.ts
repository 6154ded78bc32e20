import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import type { Reply } from '@lendtools/testing';
import { waitFor } from '@lendtools/testing';
import Stripe from 'stripe';
import { query, runTask } from '../src/marketplace.ts';
import { admin, api, listTool, newPerson, type Person } from '../src/people.ts';
import { payForHold, persist, purchaseCart } from '../src/persistent-purchase.ts';
import { line, stripe } from '../src/purchases.ts';
import { controlSandbox } from '../src/stripe-sandbox.ts';

const ownerCount = 6;
const renterCount = 6;
const policies: (CancellationPolicy | undefined)[] = [undefined, 'flexible', 'moderate', 'strict'];
const prices = [9.99, 12.5, 40];

interface Owner extends Person {
  toolIds: string[];
  /** At Stripe; null for an owner who never starts the onboarding. */
  accountId: string | null;
}

interface Booked {
  id: string;
  owner: Owner;
  renter: Person;
  /** In days from now. */
  from: number;
  to: number;
}

interface Purchase {
  intentId: string;
  bookings: Booked[];
}

interface Neighborhood {
  owners: Owner[];
  renters: Person[];
}

const pick = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T;

const pickSome = <T>(all: readonly T[], count: number): T[] => {
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(randomInt(left.length), 1)[0] as T);
};

class Rejected extends Error {}

/** Repeats a request while a process is down. @throws Rejected, for example if a lost dispute has canceled the booking */
const send = async (what: string, request: () => Promise<Reply>): Promise<Reply> => {
  const reply = await persist(what, async () => {
    const answer = await request();
    return answer.status < 500 && answer;
  });
  if (reply.status >= 400) throw new Rejected(`${reply.status} ${reply.body.code}`);
  return reply;
};

/** Stripe rejects the refund of a disputed charge. */
const isRejection = (error: unknown): boolean =>
  error instanceof Rejected || error instanceof Stripe.errors.StripeInvalidRequestError;

const newOwner = async ({ isReady }: { isReady: boolean }): Promise<Owner> => {
  const person = await newPerson();
  const toolIds: string[] = [];
  for (const cancellation of pickSome(policies, 2))
    toolIds.push(
      await listTool(person, {
        price: pick(prices),
        quantity: 5,
        terms: JSON.stringify({ staysListed: true, cancellation }),
      }),
    );
  return { ...person, toolIds, accountId: isReady ? await onboard(person) : null };
};

const onboard = async ({ id, token }: Person): Promise<string> => {
  const { status, body } = await api().post(`/api/user/${id}/payout-account/link`, { token });
  if (status !== 201) throw new Error(`payout-account/link answered ${status}: ${body.message}`);
  await fetch(body.url);
  await fetch(body.url, { method: 'POST', body: new URLSearchParams({ outcome: 'complete' }) });
  return new URL(body.url).pathname.split('/').at(-2) as string;
};

/** The first owner never starts the onboarding, so that money waits. */
export const openNeighborhood = async (): Promise<Neighborhood> => {
  const owners: Owner[] = [];
  for (let n = 0; n < ownerCount; n++) owners.push(await newOwner({ isReady: n > 0 }));
  const renters: Person[] = [];
  for (let n = 0; n < renterCount; n++) renters.push(await newPerson());
  await waitFor('bookings to store the tools', async () => {
    const ids = owners.flatMap(({ toolIds }) => toolIds);
    const rows = await query('bookings', 'SELECT FROM tools WHERE id = ANY($1)', [ids]);
    return rows.length === ids.length;
  });
  return { owners, renters };
};

/** Buys from one to three owners with one payment. */
const buy = async (renter: Person, { owners }: Neighborhood): Promise<Purchase> => {
  const [from, days] = [randomInt(2, 300), randomInt(1, 6)];
  const to = from + days;
  const sellers = pickSome(owners, randomInt(1, 4));
  const lines = sellers.map(({ toolIds }) => line(pick(toolIds), from, to));
  const key = randomUUID();
  const { paymentIntent, codes } = await purchaseCart(renter, lines, { key, rejections: [] });
  const rows = await persist('the bookings', async () => {
    const found = await query<{ id: string; ownerId: string }>(
      'bookings',
      `SELECT id, owner_id AS "ownerId" FROM bookings WHERE code = ANY($1) AND status = 'confirmed'`,
      [codes],
    );
    return found.length === codes.length && found;
  });
  const bookings = rows.map(({ id, ownerId }) => {
    const owner = sellers.find((one) => one.id === ownerId) as Owner;
    return { id, owner, renter, from, to };
  });
  return { intentId: paymentIntent, bookings };
};

const endRental = async ({ id }: Booked, hoursAgo: number): Promise<void> => {
  await query(
    'bookings',
    `UPDATE bookings SET starts_at = now() - interval '9 days', ends_at = now() - $2 * interval '1 hour' WHERE id = $1`,
    [id, hoursAgo],
  );
  await runTask('bookings', 'complete-booking', id);
};

const giveBack = async (booking: Booked): Promise<void> => {
  await endRental(booking, 1);
  const { id: userId, token } = booking.owner;
  await send('the return', () =>
    api().put(`/api/user/${userId}/rentalBookings/update-booking/${booking.id}`, {
      token,
      body: { returned_status: 'Returned' },
    }),
  );
};

/** Half a day before the start and long after the payment, so that the owner's policy applies. */
const applyPolicy = async ({ id }: Booked): Promise<void> => {
  await query(
    'bookings',
    `UPDATE bookings SET starts_at = now() + interval '12 hours', ends_at = now() + interval '60 hours',
       booked_at = now() - interval '30 days' WHERE id = $1`,
    [id],
  );
};

const cancel = ({ id }: Booked, { id: userId, token }: Person) =>
  send('the cancellation', () =>
    api().post(`/api/user/${userId}/rentalBookings/cancel-booking/${id}`, { token, body: {} }),
  );

const change = async ({ id, renter, from }: Booked, to: number): Promise<void> => {
  const { booking_code: _, rental_id: __, ...body } = line('', from, to);
  const path = `/api/user/${renter.id}/rentalBookings/change-booking/${id}`;
  const { body: changed } = await send('the change', () =>
    api().post(path, { token: renter.token, body }),
  );
  if (changed.hold) await payForHold(renter, changed.hold);
};

/** Logs in for each refund, because a refund needs a login of the last 15 minutes. */
const grantRefund = async ({ id }: Booked, cents: number) => {
  const { token } = await admin();
  const headers = { 'idempotency-key': randomUUID() };
  return send('the refund', () =>
    api().post(`/api/rentalBookings/refund-booking/${id}`, {
      token,
      headers,
      body: { amountCents: cents, reason: 'It was blunt' },
    }),
  );
};

/** Waits for the transfer, unless something keeps it from being made. */
const awaitTransfer = async ({ id }: Booked): Promise<void> => {
  const sent = `SELECT FROM transfers WHERE booking_id = $1 AND status = 'sent'`;
  for (let tries = 0; tries < 60; tries++) {
    if ((await query('payments', sent, [id])).length > 0) return;
    await delay(1_000);
  }
};

const smallRefund = () => randomInt(50, 900);

/** What becomes of a booking. */
const fates: Record<string, (booking: Booked) => Promise<unknown>> = {
  returned: giveBack,
  'completed by itself': (booking) => endRental(booking, 100),
  'canceled by the renter': async (booking) => {
    if (randomInt(3) > 0) await applyPolicy(booking);
    await cancel(booking, booking.renter);
  },
  'canceled by the owner': (booking) => cancel(booking, booking.owner),
  'made longer': async (booking) => {
    await change(booking, booking.to + 2);
    await delay(5_000);
    await giveBack(booking);
  },
  'made shorter': async (booking) => {
    if (booking.to - booking.from > 1) await change(booking, booking.from + 1);
    await giveBack(booking);
  },
  'refunded by an admin': async (booking) => {
    await giveBack(booking);
    await grantRefund(booking, smallRefund());
  },
  'refunded after the transfer': async (booking) => {
    await giveBack(booking);
    await awaitTransfer(booking);
    await grantRefund(booking, smallRefund());
  },
};
/** Most rentals just end. */
const fatesByChance = [...Object.keys(fates), 'returned', 'returned', 'completed by itself'];

const dispute = async (intentId: string, decide: (path: string) => Promise<unknown>) => {
  const opened = await controlSandbox('/disputes', { payment_intent: intentId });
  await delay(randomInt(3_000, 20_000));
  await decide(`/disputes/${opened.body.id}/close`);
};

/** What happens at Stripe to the payment, beside its bookings. */
const blows: Record<string, (intentId: string) => Promise<unknown>> = {
  'refunded in the dashboard': (intentId) =>
    stripe().refunds.create({ payment_intent: intentId, amount: smallRefund() }),
  'disputed and won': (intentId) =>
    dispute(intentId, (path) => controlSandbox(path, { outcome: 'won' })),
  'disputed and lost': (intentId) =>
    dispute(intentId, (path) => controlSandbox(path, { outcome: 'lost' })),
  'disputed and lost in part': (intentId) =>
    dispute(intentId, (path) => controlSandbox(path, { outcome: 'lost', reinstated: 100 })),
  'disputed, lost and won later': (intentId) =>
    dispute(intentId, async (path) => {
      await controlSandbox(path, { outcome: 'lost' });
      await delay(randomInt(3_000, 20_000));
      await controlSandbox(path, { outcome: 'won' });
    }),
};
const blowsByChance = [...Object.keys(blows), ...Array(3).fill('refunded in the dashboard')];

/** Lets renters and owners trade until it is stopped. */
export const startTrade = (neighborhood: Neighborhood) => {
  const { owners, renters } = neighborhood;
  const stop = new AbortController();
  const counts: Record<string, number> = {};
  const failures: unknown[] = [];
  const unfinished = new Set<Promise<void>>();

  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const attempt = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
      count(what);
    } catch (error) {
      if (isRejection(error)) count(`${what}: rejected`);
      else failures.push(new Error(`Not ${what}`, { cause: error }));
    }
  };
  const attemptLater = (what: string, act: () => Promise<unknown>): void => {
    const acting = delay(randomInt(1_000, 40_000), undefined, { signal: stop.signal })
      .catch(() => {})
      .then(() => attempt(what, act));
    unfinished.add(acting);
    void acting.then(() => unfinished.delete(acting));
  };
  const pause = (ms: number) => delay(ms, undefined, { signal: stop.signal }).catch(() => {});

  const keepBuying = async (renter: Person): Promise<void> => {
    while (!stop.signal.aborted) {
      await attempt('bought', async () => {
        const { intentId, bookings } = await buy(renter, neighborhood);
        for (const booking of bookings) {
          const fate = pick(fatesByChance);
          attemptLater(fate, async () => fates[fate]?.(booking));
        }
        const blow = pick(blowsByChance);
        if (randomInt(4) === 0) attemptLater(blow, async () => blows[blow]?.(intentId));
      });
      await pause(randomInt(1_000, 6_000));
    }
  };

  /** The account that is restricted last stays so, and its owner's money waits. */
  const keepRestricting = async (): Promise<void> => {
    const accountIds = owners.map(({ accountId }) => accountId).filter((id) => id !== null);
    while (!stop.signal.aborted) {
      const at = `/accounts/${pick(accountIds)}`;
      await attempt('restricted', () => controlSandbox(`${at}/restrict`));
      await pause(25_000);
      if (stop.signal.aborted) return;
      await attempt('restored', () => controlSandbox(`${at}/clear`));
      await pause(10_000);
    }
  };

  const trading = Promise.all([...renters.map(keepBuying), keepRestricting()]);
  return {
    counts,
    failures,
    /** Waits until the bookings that were bought have met their fates. */
    async stop(): Promise<void> {
      stop.abort();
      await trading;
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
  };
};
