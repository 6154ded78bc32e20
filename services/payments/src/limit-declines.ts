import { createHmac } from 'node:crypto';
import { type Db, networksOf } from '@lendtools/service-kit';
import type { Config } from './config.ts';
import { declineLimits } from './domain/declines.ts';
import { tooManyDeclines, tooManyDeclinesOfNetwork } from './errors.ts';

interface Payer {
  userId: string;
  networks: PayerNetwork[];
}

interface PayerNetwork {
  /** A keyed hash of its address. A plain hash of an IPv4 address can be brute-forced, so a stolen backup would reveal it. */
  key: string;
  /** Multiplies the limit: wider networks get more (`networksOf`). */
  factor: number;
}

export const payerNetworks = ({ INTERNAL_SECRET: [secret] }: Config, ip: string): PayerNetwork[] =>
  networksOf(ip).map(({ name, factor }) => ({
    key: createHmac('sha256', secret).update(`network\n${name}`).digest('base64url').slice(0, 22),
    factor,
  }));

/** @throws AppError TOO_MANY_REQUESTS if too many cards of the user, or on the user's network, were declined within a day */
export const refuseTooManyDeclines = async (
  db: Db,
  { userId, networks }: Payer,
  { RATE_LIMIT_FACTOR }: Config,
): Promise<void> => {
  const limits = declineLimits(RATE_LIMIT_FACTOR);
  const seconds = await secondsUntilBelow(db, 'user_id = $1', [userId, limits.person]);
  if (seconds) throw tooManyDeclines(seconds);
  for (const { key, factor } of networks) {
    const limit = limits.network * factor;
    const wait = await secondsUntilBelow(db, 'networks @> ARRAY[$1::text]', [key, limit]);
    if (wait) throw tooManyDeclinesOfNetwork(wait);
  }
};

/**
 * Returns how long the declines of the last 24 hours stay at or above the limit; undefined if they are below it. Sums
 * declines from the newest payment back: once the payment that reaches the limit is a day old, the newer ones are below
 * it.
 */
const secondsUntilBelow = async (
  db: Db,
  whose: string,
  values: [key: string, limit: number],
): Promise<number | undefined> => {
  const { rows } = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM created_at + interval '1 day' - now())::float8 AS seconds
     FROM (SELECT created_at, sum(declines) OVER (ORDER BY created_at DESC, id DESC) AS declined
           FROM payments
           WHERE ${whose} AND declines > 0 AND created_at > now() - interval '1 day') newest_first
     WHERE declined >= $2 ORDER BY created_at DESC LIMIT 1`,
    values,
  );
  return rows[0]?.seconds;
};
