import { createHash } from 'node:crypto';
import { networksOf, type Pool, scaled, tooManyRequests } from '@lendtools/service-kit';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { slowdownMs } from './domain/login-slowdown.ts';

const quarterHour = 15 * 60;
const hour = 60 * 60;

/** Counted in PostgreSQL, across all replicas. Every refusal is a 429 with Retry-After. */
export interface RateLimits {
  /**
   * Counts an attempt before the password is looked at, so that a thousand at once can't all pass, and takes it back
   * with `succeeded`. The same for accounts that exist and that don't. Guesses from elsewhere don't count for a device that
   * is known.
   */
  login(email: string, from: { ip: string; isKnownDevice: boolean }): Promise<LoginAttempt>;
  /** Guesses at the password of a signed-in user. */
  currentPassword(userId: string): Promise<{ succeeded(): Promise<void> }>;
  signUp(ip: string): Promise<void>;
  /** An email with a link to an address that a signed-in user typed. */
  mail(email: string, ip: string): Promise<void>;
  /** The same for anybody, counted by network alone: nobody uses up what the owner of the address may ask for. */
  resetMail(email: string, ip: string): Promise<void>;
}

interface LoginAttempt {
  /** How long the reply has to wait. */
  slowdownMs: number;
  succeeded(): Promise<void>;
}

/** A table of counters must not store email addresses, and a key has a limited length. */
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
  /** A limit on each of the networks of an address; `of` makes one for each account, or whatever else it names. */
  const networkLimiter = (keyPrefix: string, points: number, duration: number) => {
    const limiters = new Map<number, RateLimiterPostgres>();
    return (ip: string, ...of: string[]): Limit[] =>
      networksOf(ip).map(({ name, factor: share }) => {
        const found = limiters.get(share) ?? limiter(keyPrefix, points * share, duration);
        limiters.set(share, found);
        const network = keyOf(name);
        return { limiter: found, key: of.length > 0 ? keyOf(...of, network) : network };
      });
  };
  const loginOfAccountAndNetwork = networkLimiter('login-account-ip', 10, quarterHour);
  const loginOfNetwork = networkLimiter('login-ip', 100, quarterHour);
  const loginOfAccount = limiter('login-account', 1e6, quarterHour);
  const loginOfKnownDevices = limiter('login-device', 10, quarterHour);
  const passwordOfUser = limiter('password-user', 10, quarterHour);
  const signUpOfNetwork = networkLimiter('sign-up-ip', 100, hour);
  const mailOfAccount = limiter('mail-account', 5, hour);
  const mailOfNetwork = networkLimiter('mail-ip', 100, hour);
  const resetOfAccountAndNetwork = networkLimiter('reset-account-ip', 5, hour);

  const strangersLogin = async (email: string, ip: string): Promise<LoginAttempt> => {
    const account = { limiter: loginOfAccount, key: keyOf(email) };
    const ofBoth = loginOfAccountAndNetwork(ip, email);
    const ofNetwork = loginOfNetwork(ip);
    // Before there is a row for each email that a client can make up.
    await refuseUsedUp(ofNetwork);
    await takeEach([...ofBoth, ...ofNetwork]);
    const { consumedPoints } = await take(account);
    return {
      slowdownMs: slowdownMs(consumedPoints, factor),
      async succeeded() {
        const [own, ...wider] = ofBoth as [Limit, ...Limit[]];
        await Promise.all([
          own.limiter.delete(own.key),
          ...[...wider, ...ofNetwork, account].map(({ limiter, key }) => limiter.reward(key)),
        ]);
      },
    };
  };

  return {
    async login(email, { ip, isKnownDevice }) {
      const ofDevices = { limiter: loginOfKnownDevices, key: keyOf(email) };
      if (!isKnownDevice || (await isUsedUp(ofDevices))) return strangersLogin(email, ip);
      await take(ofDevices);
      // Not `delete`: each login would reset the count, so a known device would never meet a stranger's limits.
      const succeeded = async () => void (await ofDevices.limiter.reward(ofDevices.key));
      return { slowdownMs: 0, succeeded };
    },
    async currentPassword(userId) {
      await take({ limiter: passwordOfUser, key: userId });
      return { succeeded: async () => void (await passwordOfUser.delete(userId)) };
    },
    async signUp(ip) {
      await takeEach(signUpOfNetwork(ip));
    },
    async mail(email, ip) {
      await takeEach(mailOfNetwork(ip));
      await take({ limiter: mailOfAccount, key: keyOf(email) });
    },
    async resetMail(email, ip) {
      await takeEach([...mailOfNetwork(ip), ...resetOfAccountAndNetwork(ip, email)]);
    },
  };
};

/** A counter, and what it counts. */
interface Limit {
  limiter: RateLimiterPostgres;
  key: string;
}

const isUsedUp = async ({ limiter, key }: Limit): Promise<boolean> =>
  ((await limiter.get(key))?.consumedPoints ?? 0) >= limiter.points;

const refuseUsedUp = async (limits: Limit[]): Promise<void> => {
  const found = await Promise.all(
    limits.map(async ({ limiter, key }) => ({ limiter, known: await limiter.get(key) })),
  );
  for (const { limiter, known } of found) {
    if (known && known.consumedPoints >= limiter.points)
      throw tooManyRequests(known.msBeforeNext / 1000);
  }
};

/** One after the other: what a network is refused must not count for the wider ones that it shares with others. */
const takeEach = async (limits: Limit[]): Promise<void> => {
  for (const limit of limits) await take(limit);
};

const take = async ({ limiter, key }: Limit): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000);
    throw refusal;
  }
};
