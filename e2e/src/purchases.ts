import { randomInt, randomUUID } from 'node:crypto';
import { type Reply, waitFor } from '@lendtools/testing';
import Stripe from 'stripe';
import { marketplace, moveInTime, query } from './marketplace.ts';
import { api, type Person } from './people.ts';

/** Returns the date in the format of the booking form, such as `2026-11-27`. */
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

/** A rental today must start in the future, whenever the test runs. */
const timeOn = (days: number): string => (days === 0 ? '11.30 PM' : '9.00 AM');

export const line = (toolId: string, from = 2, to = 4, overrides: Partial<Line> = {}): Line => ({
  rental_id: toolId,
  quantity: 1,
  start_date: daysAhead(from),
  start_time: timeOn(from),
  end_date: daysAhead(to),
  end_time: timeOn(from),
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

/** Confirms the payment at Stripe, as the card form does, without calling the marketplace. */
export const payByCard = (clientSecret: string, card = 'pm_card_visa') =>
  stripe().paymentIntents.confirm(intentIdOf(clientSecret), { payment_method: card });

/** Pays for a cart at Stripe without a call to the payments service: only the webhook reports the payment. */
export const buyAndCloseTheTab = async (renter: Person, lines: Line[], card?: string) => {
  const held = await hold(renter, lines);
  if (held.status !== 201) throw new Error(`holds answered ${held.status}: ${held.body.message}`);
  const { id: holdId, amountCents: amount } = held.body.hold;
  const intent = await createIntent(renter, { amount, holdId });
  if (intent.status !== 201)
    throw new Error(`intent answered ${intent.status}: ${intent.body.message}`);
  await payByCard(intent.body.clientSecret, card);
  return {
    holdId,
    amount,
    ...intent.body,
    codes: held.body.hold.lines.map((l: Line) => l.booking_code),
  };
};

export const book = async (
  renter: Person,
  lines: Line[],
  card?: string,
): Promise<{ id: string; booking_code: string }> => {
  const { codes } = await buyAndCloseTheTab(renter, lines, card);
  return waitFor('the booking', async () => {
    const all: { id: string; booking_code: string }[] = await bookingsOf(renter);
    return all.find(({ booking_code }) => codes.includes(booking_code));
  });
};

export const request = async (renter: Person, lines: Line[]): Promise<string> => {
  const { codes } = await buyAndCloseTheTab(renter, lines);
  const found = await waitFor('the request', async () => {
    const all: { id: string; booking_code: string }[] = await bookingsOf(renter);
    return all.find(({ booking_code }) => codes.includes(booking_code));
  });
  return found.id;
};

/** Returns the id of the open approval of a booking or of its change. */
export const approvalOf = async (party: Person, bookingId: string): Promise<string> =>
  (await api().get(`/api/rentalBookings/${bookingId}/details`, { token: party.token })).body.booking
    .approval.id;

export const bookingsOf = async (renter: Person) =>
  (await api().get(`/api/rentalBookings/${renter.id}/my-bookings`, { token: renter.token })).body
    .bookings;

/** Requests a change to one day less, which needs no card but only the owner's approval. */
export const requestShorterChange = async (
  owner: Person,
  renter: Person,
  { id, rental_id }: { id: string; rental_id: string },
): Promise<{ bookingId: string; approvalId: string }> => {
  await api().put(`/api/update-rental/${rental_id}`, {
    token: owner.token,
    body: { terms: { booking: 'request' } },
  });
  const { booking_code: _, rental_id: __, ...body } = line('', 20, 21);
  const by = `/api/user/${renter.id}/rentalBookings`;
  const query = new URLSearchParams({ ...body, quantity: '1' });
  await waitFor('the terms', async () => {
    const reply = await api().get(`${by}/change-preview/${id}?${query}`, { token: renter.token });
    return reply.body.preview?.answerBy;
  });
  const requested = { token: renter.token, body };
  const reply = await api().post(`${by}/change-booking/${id}`, requested);
  return { bookingId: id, approvalId: reply.body.rental.approval.id };
};

export const letItBegin = async (bookingCode: string): Promise<void> => {
  await query(
    'bookings',
    `UPDATE bookings SET starts_at = now() - interval '1 minute' WHERE code = $1`,
    [bookingCode],
  );
};

export const letItEnd = async (bookingCode: string, hoursAgo: number): Promise<void> => {
  await moveInTime(
    'bookings',
    `UPDATE bookings SET starts_at = now() - interval '9 days', ends_at = now() - $2 * interval '1 hour' WHERE code = $1`,
    [bookingCode, hoursAgo],
  );
};

/** Makes a booking completed for some days: after 14 days its reviews appear. */
export const letItComplete = async (bookingCode: string, daysAgo = 0): Promise<void> => {
  await moveInTime(
    'bookings',
    `UPDATE bookings SET status = 'completed', completed_at = now() - $2 * interval '1 day',
       reviewable_from = now() - $2 * interval '1 day' WHERE code = $1`,
    [bookingCode, daysAgo],
  );
};
