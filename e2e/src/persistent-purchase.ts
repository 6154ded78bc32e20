import { setTimeout as delay } from 'node:timers/promises';
import { type Reply, waitFor } from '@lendtools/testing';
import type { Person } from './people.ts';
import { createIntent, hold, intentIdOf, type Line, line, payByCard } from './purchases.ts';

export interface Charge {
  paymentIntent: string;
  amount: number;
  /** The codes of the bookings that it pays for. */
  codes: string[];
}

const pauseMs = 100;

/** Repeats a request until its reply is not false. Pauses, because a killed process needs the CPU to start again. */
export const persist = <T>(what: string, ask: () => Promise<T | false>): Promise<T> =>
  waitFor(what, async () => {
    const answer = await ask().catch(async (error: unknown) => {
      await delay(pauseMs);
      throw error;
    });
    if (!answer) await delay(pauseMs);
    return answer;
  }) as Promise<T>;

const rejectionOf = ({ status, body }: Reply): string => `${status} ${body.code}`;

/** Holds and pays for a tool on a day. Retries of a step reuse its idempotency key. */
export const purchase = (
  renter: Person,
  toolId: string,
  { day, rejections }: { day: number; rejections: string[] },
): Promise<Charge> =>
  purchaseCart(renter, [line(toolId, day, day + 1, { booking_code: `LT${100_000 + day}` })], {
    key: `fault-${toolId}-${day}`,
    rejections,
  });

/** @throws Error if a step does not succeed in time */
export const purchaseCart = async (
  renter: Person,
  lines: Line[],
  { key, rejections }: { key: string; rejections: string[] },
): Promise<Charge> => {
  const held = await persist('a hold', async () => {
    const reply = await hold(renter, lines, key);
    if (reply.status !== 201) rejections.push(rejectionOf(reply));
    return reply.status === 201 && reply.body.hold;
  });
  const { clientSecret } = await payForHold(renter, held, rejections);
  const codes = held.lines.map((one: Line) => one.booking_code);
  return { paymentIntent: intentIdOf(clientSecret), amount: held.amountCents, codes };
};

/** Ends as if the tab were closed: only the webhook reports the charge to the payments service. */
export const payForHold = async (
  renter: Person,
  { id: holdId, amountCents: amount }: { id: string; amountCents: number },
  rejections: string[] = [],
): Promise<{ clientSecret: string }> => {
  const intent = await persist('an intent', async () => {
    const reply = await createIntent(renter, { amount, holdId });
    if (reply.status !== 201) rejections.push(rejectionOf(reply));
    return reply.status === 201 && reply.body;
  });
  await payByCard(intent.clientSecret);
  return intent;
};
