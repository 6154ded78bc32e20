import { waitFor } from '@lendtools/testing';
import type Stripe from 'stripe';
import { api, type Person } from './people.ts';
import { stripe } from './purchases.ts';

/** Completes Stripe's form for an owner. */
export const setUpPayouts = async (owner: Person): Promise<void> => {
  const account = `/api/user/${owner.id}/payout-account`;
  const link = await api().post(`${account}/link`, { token: owner.token });
  if (link.status !== 201) throw new Error(`link answered ${link.status}: ${link.body.message}`);
  const sent = await fetch(link.body.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome: 'complete', bank: '000123456789' }),
  });
  if (!sent.ok) throw new Error(`Stripe's form answered ${sent.status}`);
  await waitFor('the account at Stripe', async () => {
    const { body } = await api().get(account, { token: owner.token });
    return body.state === 'ready';
  });
};

/** Waits until the sums of an owner's earnings are as expected. */
export const expectEarnings = async (
  { id, token }: Person,
  sums: Record<string, number>,
): Promise<void> => {
  await waitFor(`earnings of ${JSON.stringify(sums)}`, async () => {
    const { body } = await api().get(`/api/user/${id}/payouts`, { token });
    return Object.entries(sums).every(([name, cents]) => body.summary?.[name] === cents);
  });
};

/** The transfers for a booking at Stripe, newest first. */
export const transfersOf = async (bookingId: string): Promise<Stripe.Transfer[]> => {
  const { data } = await stripe().transfers.list({ limit: 100 });
  return data.filter(({ metadata }) => metadata.bookingId === bookingId);
};
