import { randomInt, randomUUID } from 'node:crypto';
import type { Reply } from '@lendtools/testing';
import Stripe from 'stripe';
import { marketplace, query } from './marketplace.ts';
import { api, type Person } from './people.ts';

/** The date so many days from today, as the booking form sends it. */
export const daysAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export interface Line {
  rental_id: string;
  quantity: number;
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  booking_code?: string;
}

export const line = (toolId: string, from = 2, to = 4, overrides: Partial<Line> = {}): Line => ({
  rental_id: toolId,
  quantity: 1,
  start_date: daysAhead(from),
  start_time: '9.00 AM',
  end_date: daysAhead(to),
  end_time: '9.00 AM',
  booking_code: `LT${randomInt(100_000, 1_000_000)}`,
  ...overrides,
});

export const stripe = (): Stripe => {
  const { apiBase, secretKey } = marketplace().stripe;
  const { hostname, port } = new URL(apiBase);
  return new Stripe(secretKey, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    telemetry: false,
  });
};

export const hold = (renter: Person, lines: Line[], key: string = randomUUID()): Promise<Reply> =>
  api().post(`/api/user/${renter.id}/holds`, {
    token: renter.token,
    body: { lines },
    headers: { 'idempotency-key': key },
  });

export const createIntent = (
  renter: Person,
  { amount, holdId }: { amount: number; holdId?: string },
): Promise<Reply> =>
  api().post('/api/payment/create-payment-intent', {
    token: renter.token,
    body: { amount, userId: renter.id, ...(holdId && { holdId }) },
  });

export const intentIdOf = (clientSecret: string): string =>
  clientSecret.split('_secret_')[0] as string;

/** Confirms at Stripe, as the card form in the browser does; tells nobody of ours. */
export const payByCard = (clientSecret: string, card = 'pm_card_visa') =>
  stripe().paymentIntents.confirm(intentIdOf(clientSecret), { payment_method: card });

/** Hold, intent, card: all of a purchase but telling our server. Returns what identifies it. */
export const buyAndCloseTheTab = async (renter: Person, lines: Line[]) => {
  const held = await hold(renter, lines);
  if (held.status !== 201) throw new Error(`holds answered ${held.status}: ${held.body.message}`);
  const { id: holdId, amountCents: amount } = held.body.hold;
  const intent = await createIntent(renter, { amount, holdId });
  if (intent.status !== 201)
    throw new Error(`intent answered ${intent.status}: ${intent.body.message}`);
  await payByCard(intent.body.clientSecret);
  return {
    holdId,
    amount,
    ...intent.body,
    codes: held.body.hold.lines.map((l: Line) => l.booking_code),
  };
};

export const bookingsOf = async (renter: Person) =>
  (await api().get(`/api/rentalBookings/${renter.id}/my-bookings`, { token: renter.token })).body
    .bookings;

/** Time passes until a booking's first day, as its service sees it. */
export const letItBegin = async (bookingCode: string): Promise<void> => {
  await query(
    'bookings',
    `UPDATE bookings SET starts_at = now() - interval '1 minute' WHERE code = $1`,
    [bookingCode],
  );
};
