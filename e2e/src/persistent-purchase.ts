import { type Reply, waitFor } from '@lendtools/testing';
import type { Person } from './people.ts';
import { createIntent, hold, intentIdOf, line, payByCard } from './purchases.ts';

export interface Charge {
  paymentIntent: string;
  amount: number;
}

export const persist = <T>(what: string, ask: () => Promise<T | false>): Promise<T> =>
  waitFor(what, ask) as Promise<T>;

const rejectionOf = ({ status, body }: Reply): string => `${status} ${body.code}`;

/**
 * Holds and pays for a tool. Retries of a step reuse its idempotency key.
 * @throws Error if a step does not succeed in time
 */
export const purchase = async (
  renter: Person,
  toolId: string,
  { day, rejections }: { day: number; rejections: string[] },
): Promise<Charge> => {
  const key = `fault-${toolId}-${day}`;
  const held = await persist('a hold', async () => {
    const reply = await hold(
      renter,
      [line(toolId, day, day + 1, { booking_code: `LT${100_000 + day}` })],
      key,
    );
    if (reply.status !== 201) rejections.push(rejectionOf(reply));
    return reply.status === 201 && reply.body.hold;
  });
  const intent = await persist('an intent', async () => {
    const reply = await createIntent(renter, { amount: held.amountCents, holdId: held.id });
    if (reply.status !== 201) rejections.push(rejectionOf(reply));
    return reply.status === 201 && reply.body;
  });
  await payByCard(intent.clientSecret);
  // The purchase ends here, as if the tab were closed. Only the webhook reports the charge to the payments service.
  return { paymentIntent: intentIdOf(intent.clientSecret), amount: held.amountCents };
};
