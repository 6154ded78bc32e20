import type { Stripe } from '../stripe.ts';
import { type ApiClient, isRefusal, retryWhile } from './api-client.ts';
import type { Person } from './seed-demo.ts';
import type { Story } from './stories.ts';

/** What the catalogue answered about a tool. */
export interface ListedTool {
  id: string;
  rental_circle: 'hourly' | 'daily';
  timeZone: string;
}

interface Stage {
  api: ApiClient;
  renter: Person;
  owner: Person;
  tool: ListedTool;
  stripe: Stripe;
}

interface Booking {
  id: string;
  rental_id: string;
  authorization: string;
  returned_status: string;
}

/** A rental from the cart to the review, each step by the person whose step it is. Answers its id. */
export async function playStory(story: Story, stage: Stage): Promise<string> {
  const existing = await findBooking(stage);
  if (existing) return existing.id;
  await pay(story, stage);
  const booking = await waitForBooking(stage);
  await talk(story, stage, booking.id);
  if (story.review) await review(story.review, stage, booking.id);
  if (story.isReturned) await returnTool(stage, booking.id);
  return booking.id;
}

async function pay(story: Story, { api, renter, tool, stripe }: Stage): Promise<void> {
  const { token, id: userId } = renter;
  const line = { rental_id: tool.id, quantity: 1, ...datesOf(story, tool) };
  const { hold } = await retryWhile('TOOL_UNAVAILABLE', () =>
    retryWhile('TOOL_NOT_FOUND', () =>
      api.post<{ hold: { id: string; amount: number } }>(`/api/user/${userId}/holds`, {
        token,
        body: { lines: [line] },
      }),
    ),
  );
  const { clientSecret, paymentId } = await api.post<{ clientSecret: string; paymentId: string }>(
    '/api/payment/create-payment-intent',
    { token, body: { amount: hold.amount, userId, holdId: hold.id } },
  );
  const paymentIntentId = clientSecret.split('_secret_')[0] ?? '';
  await confirmCard(stripe, paymentIntentId, clientSecret);
  await api.put(`/api/payment/confirm-payment/${paymentId}`, {
    token,
    body: { paymentIntentId, amount: hold.amount, userId },
  });
}

/** What the card form does in the browser. */
async function confirmCard(stripe: Stripe, intent: string, clientSecret: string): Promise<void> {
  const base = stripe.apiBase ?? 'https://api.stripe.com';
  const response = await fetch(`${base}/v1/payment_intents/${intent}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripe.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }),
  });
  if (!response.ok) throw new Error(`The card was not confirmed: ${await response.text()}`);
}

async function waitForBooking(stage: Stage): Promise<Booking> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const booking = await findBooking(stage);
    if (booking) return booking;
    if (Date.now() > deadline) throw new Error('A paid booking was not made within ten seconds');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function findBooking({ api, renter, tool }: Stage): Promise<Booking | undefined> {
  const { bookings } = await api.get<{ bookings: Booking[] }>(
    `/api/rentalBookings/${renter.id}/my-bookings?limit=50`,
    renter.token,
  );
  return bookings.find(
    (booking) => booking.rental_id === tool.id && booking.authorization === 'Authorized',
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
  try {
    await api.post(`/api/user/${renter.id}/reviews/add-review`, {
      token: renter.token,
      body: {
        ...{ rentalBooking_id: bookingId, rental_id: tool.id, userId: renter.id },
        ...{ rating: stars, comment },
      },
    });
  } catch (error) {
    // Early in the morning a rental of today has not begun yet; then the demo has a review less.
    if (!isRefusal(error, 'BOOKING_NOT_STARTED')) throw error;
  }
}

async function returnTool({ api, owner, tool }: Stage, bookingId: string): Promise<void> {
  const { token } = owner;
  await api.put(`/api/user/${owner.id}/rentalBookings/update-booking/${bookingId}`, {
    token,
    body: { returned_status: 'Returned' },
  });
  await api.put(`/api/update-rental/${tool.id}`, { token, body: { item_status: 'Available' } });
}

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

/** Dates and times as the tool's place has them: whole days, or two hours from the hour that runs. */
export function datesOf(
  { startsIn, days }: Pick<Story, 'startsIn' | 'days'>,
  { rental_circle, timeZone }: Pick<ListedTool, 'rental_circle' | 'timeZone'>,
  now = Date.now(),
): { start_date: string; start_time: string; end_date: string; end_time: string } {
  const isHourly = rental_circle === 'hourly';
  const start = new Date(now + startsIn * dayMs);
  const end = new Date(start.getTime() + (isHourly ? 2 * hourMs : days * dayMs));
  const dateOf = (time: Date) => time.toLocaleDateString('en-CA', { timeZone });
  const timeOf = (time: Date) =>
    isHourly
      ? `${time.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit' }).slice(0, 2)}:00`
      : '';
  return {
    ...{ start_date: dateOf(start), start_time: timeOf(start) },
    ...{ end_date: dateOf(end), end_time: timeOf(end) },
  };
}
