import { createHmac } from 'node:crypto';
import { type Db, networksOf } from '@lendtools/service-kit';
import type { Config } from '../../config.ts';
import { declineLimits } from '../../domain/declines.ts';
import { tooManyDeclines, tooManyDeclinesOfNetwork } from '../../domain/errors.ts';
import {
  secondsOverLimitOfNetwork,
  secondsOverLimitOfUser,
} from '../../store/decline-repository.ts';

interface Payer {
  userId: string;
  networks: PayerNetwork[];
}

interface PayerNetwork {
  /** A keyed hash of the network's address. A plain hash of an IPv4 address can be brute-forced from a stolen backup. */
  key: string;
  /** Multiplies the limit, for wider networks (`networksOf`). */
  factor: number;
}

export const payerNetworks = ({ INTERNAL_SECRET: [secret] }: Config, ip: string): PayerNetwork[] =>
  networksOf(ip).map(({ name, factor }) => ({
    key: createHmac('sha256', secret).update(`network\n${name}`).digest('base64url').slice(0, 22),
    factor,
  }));

/** @throws AppError TOO_MANY_REQUESTS if too many cards of the user, or on the user's network, were declined within a day */
export const rejectTooManyDeclines = async (
  db: Db,
  { userId, networks }: Payer,
  { RATE_LIMIT_FACTOR }: Config,
): Promise<void> => {
  const limits = declineLimits(RATE_LIMIT_FACTOR);
  const seconds = await secondsOverLimitOfUser(db, userId, limits.person);
  if (seconds) throw tooManyDeclines(seconds);
  for (const { key, factor } of networks) {
    const limit = limits.network * factor;
    const wait = await secondsOverLimitOfNetwork(db, key, limit);
    if (wait) throw tooManyDeclinesOfNetwork(wait);
  }
};
