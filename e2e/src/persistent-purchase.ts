import { type Reply, waitFor } from '@lendtools/testing';
import type { Person } from './people.ts';
import { createIntent, hold, intentIdOf, line, payByCard } from './purchases.ts';

export interface Charge {
  paymentIntent: string;
  amount: number;
}

/** Keeps asking while something is down: what a person who presses the button again does. */
export const persist = <T>(what: string, ask: () => Promise<T | false>): Promise<T> =>
  waitFor(what, ask) as Promise<T>;

const refusalOf = ({ status, body }: Reply): string => `${status} ${body.code}`;

/**
 * One purchase, pushed through whatever breaks, with the same key at each try. Rejects what is not answered
 * within the deadline of `waitFor`; the status and code of each refusal are put into `refusals`.
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
  // The tab is closed here: only the webhook tells payments.
  return { paymentIntent: intentIdOf(intent.clientSecret), amount: held.amountCents };
};
