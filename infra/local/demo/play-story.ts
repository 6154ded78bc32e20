import type { Stripe } from '../stripe.ts';
import { type ApiClient, retryWhile } from './api-client.ts';
import { movedBackDays, moveRentalBack } from './move-into-past.ts';
import type { Story } from './stories.ts';

export interface Person {
  id: string;
  token: string;
}

export interface ListedTool {
  id: string;
  timeZone: string;
}

interface Stage {
  api: ApiClient;
  renter: Person;
  owner: Person;
  tool: ListedTool;
  stripe: Stripe;
  /** URL of the bookings database. Past days are set there, because the API can't book them. */
  bookings: string;
}

interface Booking {
  id: string;
  rental_id: string;
  booking_status: string;
  returned_status: string;
}

/** Plays a rental from cart to review, each step done by its renter, owner or admin. Returns the booking's id. */
export async function playStory(story: Story, stage: Stage): Promise<string> {
  const existing = await findBooking(stage);
  if (!existing) await pay(story, stage);
  const booking = existing ?? (await waitForBooking(stage));
  if (story.startsIn < 0) await moveRentalBack(stage.bookings, booking.id);
  if (existing || story.isRequest) return booking.id;
  await talk(story, stage, booking.id);
  if (story.review) await review(story.review, stage, booking.id);
  if (story.isReturned) await acceptReturn(stage, booking.id);
  if (story.problem) await reportProblem(story.problem, stage, booking.id);
  return booking.id;
}

async function pay(story: Story, { api, renter, tool, stripe }: Stage): Promise<void> {
  const { token, id: userId } = renter;
  const line = { rental_id: tool.id, quantity: 1, ...datesOf(story, tool.timeZone) };
  const { hold } = await retryWhile('TOOL_NOT_FOUND', () =>
    api.post<{ hold: { id: string; amountCents: number } }>(`/api/user/${userId}/holds`, {
      token,
      body: { lines: [line] },
    }),
  );
  const { clientSecret, paymentId } = await api.post<{ clientSecret: string; paymentId: string }>(
    '/api/payment/create-payment-intent',
    { token, body: { amount: hold.amountCents, userId, holdId: hold.id } },
  );
  const paymentIntentId = clientSecret.split('_secret_')[0] ?? '';
  const card = story.isDisputed ? 'pm_card_createDispute' : 'pm_card_visa';
  await confirmCard(stripe, { paymentIntentId, clientSecret, card });
  await api.put(`/api/payment/confirm-payment/${paymentId}`, {
    token,
    body: { paymentIntentId, amount: hold.amountCents, userId },
  });
}

async function confirmCard(
  stripe: Stripe,
  {
    paymentIntentId,
    clientSecret,
    card,
  }: Record<'paymentIntentId' | 'clientSecret' | 'card', string>,
): Promise<void> {
  const base = stripe.apiBase ?? 'https://api.stripe.com';
  const response = await fetch(`${base}/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripe.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
  });
  if (!response.ok) throw new Error(`The card was not confirmed: ${await response.text()}`);
}

async function waitForBooking(stage: Stage): Promise<Booking> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const booking = await findBooking(stage);
    if (booking) return booking;
    if (Date.now() > deadline) throw new Error('A paid booking was not created within ten seconds');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function findBooking({ api, renter, tool }: Stage): Promise<Booking | undefined> {
  const { bookings } = await api.get<{ bookings: Booking[] }>(
    `/api/rentalBookings/${renter.id}/my-bookings?limit=50`,
    renter.token,
  );
  return bookings.find(
    ({ rental_id, booking_status }) =>
      rental_id === tool.id &&
      ['Booked', 'Returned', 'Completed', 'Requested'].includes(booking_status),
  );
}

async function talk(story: Story, stage: Stage, bookingId: string): Promise<void> {
  const { api, renter, owner } = stage;
  const { messaging } = await retryWhile('THREAD_NOT_FOUND', () =>
    api.post<{ messaging: { id: string } }>(`/api/rentalBookings/${bookingId}/send-message`, {
      token: renter.token,
      body: { message: story.message, userId: renter.id },
    }),
  );
  await api.post(`/api/user/${owner.id}/messaging/${messaging.id}/send-reply`, {
    token: owner.token,
    body: { message: story.reply },
  });
}

async function review(
  { stars, comment }: { stars: number; comment: string },
  { api, renter, tool }: Stage,
  bookingId: string,
): Promise<void> {
  await api.post(`/api/user/${renter.id}/reviews/add-review`, {
    token: renter.token,
    body: {
      rentalBooking_id: bookingId,
      rental_id: tool.id,
      userId: renter.id,
      rating: stars,
      comment,
    },
  });
}

async function acceptReturn({ api, owner }: Stage, bookingId: string): Promise<void> {
  await api.put(`/api/user/${owner.id}/rentalBookings/update-booking/${bookingId}`, {
    token: owner.token,
    body: { returned_status: 'Returned' },
  });
}

async function reportProblem(
  text: string,
  { api, owner }: Stage,
  bookingId: string,
): Promise<void> {
  await api.post(`/api/user/${owner.id}/rentalBookings/report-problem/${bookingId}`, {
    token: owner.token,
    body: { text },
  });
}

/** The dates and times are in the tool's time zone. */
export function datesOf(
  { startsIn, days, from, until }: Pick<Story, 'startsIn' | 'days' | 'from' | 'until'>,
  timeZone: string,
  now = Date.now(),
): { start_date: string; start_time: string; end_date: string; end_time: string } {
  const today = new Date(now).toLocaleDateString('en-CA', { timeZone });
  const ahead = startsIn < 0 ? startsIn + movedBackDays : startsIn;
  const dateIn = (count: number) => {
    const date = new Date(`${today}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() + count);
    return date.toISOString().slice(0, 10);
  };
  return {
    start_date: dateIn(ahead),
    start_time: from,
    end_date: dateIn(ahead + days),
    end_time: until,
  };
}
