import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { networkOf, type Pool, scaled, tooManyRequests } from '@lendtools/service-kit';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { slowdownMs } from './domain/login-slowdown.ts';

const quarterHour = 15 * 60;
const hour = 60 * 60;

/** Counted in PostgreSQL, across all replicas. Every refusal is a 429 with Retry-After. */
export interface RateLimits {
  /**
   * Counts an attempt before the password is looked at, so that a thousand at once can't all pass, and takes it back
   * with `succeeded`. The same for accounts that exist and that don't.
   */
  login(email: string, ip: string): Promise<{ succeeded(): Promise<void> }>;
  /** Guesses at the password of a signed-in user. */
  currentPassword(userId: string): Promise<{ succeeded(): Promise<void> }>;
  signUp(ip: string): Promise<void>;
  /** A mail with a link to an address that somebody typed who is signed in. */
  mail(email: string, ip: string): Promise<void>;
  /** The same for anybody, counted by network alone: nobody uses up what the owner of the address may ask for. */
  resetMail(email: string, ip: string): Promise<void>;
}

/** Emails are no business of a table of counters, and a key has a length. */
const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22);

export const createRateLimits = (pool: Pool, factor: number): RateLimits => {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points: scaled(points, factor),
      duration,
    });
  const loginOfAccountAndIp = limiter('login-account-ip', 10, quarterHour);
  const loginOfIp = limiter('login-ip', 100, quarterHour);
  const loginOfAccount = limiter('login-account', 1e6, quarterHour);
  const passwordOfUser = limiter('password-user', 10, quarterHour);
  const signUpOfIp = limiter('sign-up-ip', 100, hour);
  const mailOfAccount = limiter('mail-account', 5, hour);
  const mailOfIp = limiter('mail-ip', 100, hour);
  const resetOfAccountAndIp = limiter('reset-account-ip', 5, hour);

  return {
    async login(email, ip) {
      const account = keyOf(email);
      const network = keyOf(networkOf(ip));
      const accountAndIp = keyOf(email, network);
      // Before there is a row for each email that somebody can think up.
      await refuseUsedUp(loginOfIp, network);
      await take(loginOfAccountAndIp, accountAndIp);
      await take(loginOfIp, network);
      const { consumedPoints } = await take(loginOfAccount, account);
      await delay(slowdownMs(consumedPoints, factor));
      return {
        async succeeded() {
          await Promise.all([
            loginOfAccountAndIp.delete(accountAndIp),
            loginOfIp.reward(network),
            loginOfAccount.reward(account),
          ]);
        },
      };
    },
    async currentPassword(userId) {
      await take(passwordOfUser, userId);
      return { succeeded: async () => void (await passwordOfUser.delete(userId)) };
    },
    async signUp(ip) {
      await take(signUpOfIp, keyOf(networkOf(ip)));
    },
    async mail(email, ip) {
      await take(mailOfIp, keyOf(networkOf(ip)));
      await take(mailOfAccount, keyOf(email));
    },
    async resetMail(email, ip) {
      const network = keyOf(networkOf(ip));
      await take(mailOfIp, network);
      await take(resetOfAccountAndIp, keyOf(email, network));
    },
  };
};

const refuseUsedUp = async (limiter: RateLimiterPostgres, key: string): Promise<void> => {
  const known = await limiter.get(key);
  if (known && known.consumedPoints >= limiter.points)
    throw tooManyRequests(known.msBeforeNext / 1000);
};

const take = async (limiter: RateLimiterPostgres, key: string): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000);
    throw refusal;
  }
};
