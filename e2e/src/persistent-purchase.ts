import { type Reply, waitFor } from '@lendtools/testing';
import type { Person } from './people.ts';
import { createIntent, hold, intentIdOf, line, payByCard } from './purchases.ts';

export interface Charge {
  paymentIntent: string;
  amount: number;
}

/** Retries until it succeeds, as a user does who presses the button again. */
export const persist = <T>(what: string, ask: () => Promise<T | false>): Promise<T> =>
  waitFor(what, ask) as Promise<T>;

const refusalOf = ({ status, body }: Reply): string => `${status} ${body.code}`;

/**
 * Makes one purchase, with retries that reuse the idempotency key. Adds the status and code of each error reply to
 * `refusals`.
 * @throws if a step does not succeed within the deadline of `waitFor`
 */
export const purchase = async (
  renter: Person,
  toolId: string,
  { day, refusals }: { day: number; refusals: string[] },
): Promise<Charge> => {
  const key = `fault-${toolId}-${day}`;
  const held = await persist('a hold', async () => {
    const reply = await hold(
      renter,
      [line(toolId, day, day + 1, { booking_code: `LT${100_000 + day}` })],
      key,
    );
    if (reply.status !== 201) refusals.push(refusalOf(reply));
    return reply.status === 201 && reply.body.hold;
  });
  const intent = await persist('an intent', async () => {
    const reply = await createIntent(renter, { amount: held.amountCents, holdId: held.id });
    if (reply.status !== 201) refusals.push(refusalOf(reply));
    return reply.status === 201 && reply.body;
  });
  await payByCard(intent.clientSecret);
  // As if the tab were closed here: payments learns of the charge from the webhook alone.
  return { paymentIntent: intentIdOf(intent.clientSecret), amount: held.amountCents };
};
