import { createHash } from 'node:crypto';
import { networksOf, type Pool, scaled, tooManyRequests } from '@lendtools/service-kit';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { slowdownMs } from './domain/login-slowdown.ts';

const quarterHour = 15 * 60;
const hour = 60 * 60;

/** Counters in PostgreSQL, shared by all replicas. A request over a limit gets 429 with Retry-After. */
export interface RateLimits {
  /**
   * Counts an attempt before the password is checked, so that concurrent guesses cannot all pass; `succeeded` takes
   * it back. Unknown accounts are counted alike. A known device has its own counter, which guesses from elsewhere do
   * not increment.
   */
  login(email: string, from: { ip: string; isKnownDevice: boolean }): Promise<LoginAttempt>;
  currentPassword(userId: string): Promise<{ succeeded(): Promise<void> }>;
  signUp(ip: string): Promise<void>;
  /** Emails with a link, to an address typed by a signed-in user. */
  mail(email: string, ip: string): Promise<void>;
  /**
   * Emails with a password link, requested by anyone. Counted per network, so that no one can use up the limit of the
   * address's owner.
   */
  resetMail(email: string, ip: string): Promise<void>;
}

interface LoginAttempt {
  slowdownMs: number;
  succeeded(): Promise<void>;
}

/** Counters must not store email addresses, and keys have a maximum length. */
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
  /** A limit for each network that contains the address; `of` counts separately per account or other key. */
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

  const loginFromUnknownDevice = async (email: string, ip: string): Promise<LoginAttempt> => {
    const account = { limiter: loginOfAccount, key: keyOf(email) };
    const ofBoth = loginOfAccountAndNetwork(ip, email);
    const ofNetwork = loginOfNetwork(ip);
    // Check the network's limit before counting: otherwise a client over it could still create a row for every email
    // that it makes up.
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
      if (!isKnownDevice || (await isUsedUp(ofDevices))) return loginFromUnknownDevice(email, ip);
      await take(ofDevices);
      // Not `delete`: it would reset the count at each login, and a known device would never reach the limits for
      // unknown devices.
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

/**
 * Sequential: an attempt that a narrow network is refused must not count against the wider networks that it shares
 * with others.
 */
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
