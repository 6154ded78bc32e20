import { createHash } from 'node:crypto';
import { networksOf, type Pool, scaled, tooManyRequests } from '@lendtools/service-kit';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { slowdownMs } from '../domain/login-slowdown.ts';

const quarterHour = 15 * 60;
const hour = 60 * 60;

/** Counters in PostgreSQL, shared by all replicas. A request over a limit gets 429 with Retry-After. */
export interface RateLimits {
  /**
   * Counts a login before the password is checked: otherwise concurrent guesses could all pass the limit. `succeeded` undoes
   * the count. A known device has its own counter, which guesses from other devices do not increment.
   */
  login(email: string, from: { ip: string; isKnownDevice: boolean }): Promise<LoginAttempt>;
  currentPassword(userId: string): Promise<{ succeeded(): Promise<void> }>;
  /**
   * Counts a guess at a second factor before it is checked. Only someone with the password, or with the id of a passkey, can
   * guess; a known device has its own counter, so that such a person cannot lock the owner out there.
   */
  secondFactor(userId: string, isKnownDevice: boolean): Promise<{ succeeded(): Promise<void> }>;
  /** Counts a passkey before it is verified, because any visitor can send one. */
  passkey(ip: string): Promise<{ succeeded(): Promise<void> }>;
  /** Counts a code typed or a passkey used in a session, apart from those of logins. */
  codeInSession(sessionId: string): Promise<{ succeeded(): Promise<void> }>;
  /** Limits the checks of new passwords, which occupy the process. */
  newPassword(userId: string): Promise<void>;
  signUp(ip: string): Promise<void>;
  /** Limits how many links are emailed to addresses that signed-in users typed. */
  mail(email: string, ip: string): Promise<void>;
  /** Limits requests for password links. Anyone may send one, so count per network: strangers must not use up a user's limit. */
  resetMail(email: string, ip: string): Promise<void>;
  /** Limits the reports without an account. Returns whether the address may get an email, which counts like those of `mail`. */
  report(email: string, ip: string): Promise<boolean>;
}

interface LoginAttempt {
  slowdownMs: number;
  succeeded(): Promise<void>;
}

/** Hashes the parts of a counter's key: counters must not store email addresses, and keys have a maximum length. */
const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22);

export const createRateLimits = (pool: Pool, factor: number): RateLimits => {
  const counters = createCounters(pool, factor);

  const loginFromUnknownDevice = async (email: string, ip: string): Promise<LoginAttempt> => {
    const account = { limiter: counters.loginOfAccount, key: keyOf(email) };
    const ofBoth = counters.loginOfAccountAndNetwork(ip, email);
    const ofNetwork = counters.loginOfNetwork(ip);
    // Check the network's limit before counting: a client over the limit could otherwise create a row per invented email.
    await rejectUsedUp(ofNetwork);
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

  const takeUntilSuccess = async (limits: Limit[]) => {
    await takeEach(limits);
    const succeeded = async () => {
      await Promise.all(limits.map(({ limiter, key }) => limiter.reward(key)));
    };
    return { succeeded };
  };

  const takeCode = (limiters: RateLimiterPostgres[], key: string) =>
    takeUntilSuccess(limiters.map((limiter) => ({ limiter, key })));

  return {
    async login(email, { ip, isKnownDevice }) {
      const ofDevices = { limiter: counters.loginOfKnownDevices, key: keyOf(email) };
      if (!isKnownDevice || (await isUsedUp(ofDevices))) return loginFromUnknownDevice(email, ip);
      await take(ofDevices);
      // Don't use `delete`: if each successful login reset the count, guesses from the device would never reach the limit.
      const succeeded = async () => void (await ofDevices.limiter.reward(ofDevices.key));
      return { slowdownMs: 0, succeeded };
    },
    async currentPassword(userId) {
      const { passwordOfUser } = counters;
      await take({ limiter: passwordOfUser, key: userId });
      return { succeeded: async () => void (await passwordOfUser.delete(userId)) };
    },
    secondFactor(userId, isKnownDevice) {
      const { codesOfKnownDevices, codesOfUser } = counters;
      return takeCode(isKnownDevice ? codesOfKnownDevices : codesOfUser, userId);
    },
    passkey: (ip) => takeUntilSuccess(counters.passkeyOfNetwork(ip)),
    codeInSession: (sessionId) => takeCode(counters.codesOfSession, sessionId),
    async newPassword(userId) {
      await take({ limiter: counters.newPasswordOfUser, key: userId });
    },
    async signUp(ip) {
      await takeEach(counters.signUpOfNetwork(ip));
    },
    async mail(email, ip) {
      await takeEach(counters.mailOfNetwork(ip));
      await take({ limiter: counters.mailOfAccount, key: keyOf(email) });
    },
    async report(email, ip) {
      await takeEach([...counters.reportOfNetwork(ip), ...counters.mailOfNetwork(ip)]);
      const key = keyOf(email);
      await take({ limiter: counters.reportOfEmail, key });
      return tryTake({ limiter: counters.mailOfAccount, key });
    },
    async resetMail(email, ip) {
      await takeEach([
        ...counters.mailOfNetwork(ip),
        ...counters.resetOfAccountAndNetwork(ip, email),
      ]);
    },
  };
};

const createCounters = (pool: Pool, factor: number) => {
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
  const codeLimiters = (keyPrefix: string, points: number) => [
    limiter(keyPrefix, points, quarterHour),
    limiter(`${keyPrefix}-day`, 30, 24 * hour),
  ];
  /** Limits each network that contains the IP address. `of` adds further parts to the counter's key, such as an email. */
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
  return {
    loginOfAccountAndNetwork: networkLimiter('login-account-ip', 10, quarterHour),
    loginOfNetwork: networkLimiter('login-ip', 100, quarterHour),
    // No account reaches this limit: the count only determines how much a login is slowed down.
    loginOfAccount: limiter('login-account', 1e6, quarterHour),
    loginOfKnownDevices: limiter('login-device', 10, quarterHour),
    passwordOfUser: limiter('password-user', 10, quarterHour),
    // Three of a million codes are valid at any time, so 30 guesses a day take about 30 years.
    codesOfKnownDevices: codeLimiters('codes-device', 10),
    codesOfUser: codeLimiters('codes-user', 5),
    codesOfSession: codeLimiters('codes-session', 10),
    passkeyOfNetwork: networkLimiter('passkey-ip', 100, quarterHour),
    newPasswordOfUser: limiter('new-password-user', 20, quarterHour),
    signUpOfNetwork: networkLimiter('sign-up-ip', 100, hour),
    mailOfAccount: limiter('mail-account', 5, hour),
    mailOfNetwork: networkLimiter('mail-ip', 100, hour),
    resetOfAccountAndNetwork: networkLimiter('reset-account-ip', 5, hour),
    reportOfNetwork: networkLimiter('report-ip', 5, hour),
    reportOfEmail: limiter('report-email', 5, hour),
  };
};

interface Limit {
  limiter: RateLimiterPostgres;
  key: string;
}

const isUsedUp = async ({ limiter, key }: Limit): Promise<boolean> =>
  ((await limiter.get(key))?.consumedPoints ?? 0) >= limiter.points;

const rejectUsedUp = async (limits: Limit[]): Promise<void> => {
  const found = await Promise.all(
    limits.map(async ({ limiter, key }) => ({ limiter, known: await limiter.get(key) })),
  );
  for (const { limiter, known } of found) {
    if (known && known.consumedPoints >= limiter.points)
      throw tooManyRequests(known.msBeforeNext / 1000);
  }
};

/** Counts one limit after the other: an attempt beyond the limit of a narrow network must not count against wider networks. */
const takeEach = async (limits: Limit[]): Promise<void> => {
  for (const limit of limits) await take(limit);
};

const take = async ({ limiter, key }: Limit): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(key);
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) throw tooManyRequests(rejection.msBeforeNext / 1000);
    throw rejection;
  }
};

/** @returns false if the limit is used up */
const tryTake = async ({ limiter, key }: Limit): Promise<boolean> => {
  try {
    await limiter.consume(key);
    return true;
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return false;
    throw rejection;
  }
};
