import { fileURLToPath } from 'node:url';
import { picturePrefixes } from '@lendtools/contracts';
import type { Topology } from '@lendtools/event-bus';
import {
  ConfigError,
  createImageStore,
  createLogger,
  type Running,
  Turns,
  Upstreams,
} from '@lendtools/service-kit';
import { startPostgresService } from '@lendtools/service-runtime';
import { hasAdmin, makeAdmin } from './admins/make-first-admin/make-first-admin.ts';
import { routes } from './app.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import { createAccessTokens, OwnAuthenticator } from './credentials/access-tokens.ts';
import { createDeviceCookie } from './credentials/device-cookie.ts';
import { createLoginChallenges } from './credentials/login-challenges.ts';
import { createPasskeyChallenges } from './credentials/passkey-challenges.ts';
import { createPasswordHasher } from './credentials/password-hasher.ts';
import { createRefreshCookie } from './credentials/refresh-cookie.ts';
import { createSecretBox } from './credentials/secret-box.ts';
import { deleteAccount } from './deletion/delete-account/delete-account.ts';
import type { Deps } from './deps.ts';
import { UsPlaces } from './domain/us-places.ts';
import { UsZips } from './domain/us-zips.ts';
import { makeDataExport } from './exports/make-data-export/make-data-export.ts';
import { createQuotas } from './limits/quotas.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { RecentAttempts } from './limits/recent-attempts.ts';
import { findPasswordProblem } from './passwords/find-password-problem.ts';
import { purgeUserPictures } from './profiles/purge-user-pictures/purge-user-pictures.ts';
import { purgeReports } from './reports/purge-reports/purge-reports.ts';
import { relyingPartyOf } from './second-factors/passkeys/passkey-options.ts';
import { createCountries } from './sessions/describe-device.ts';
import { sessionPurges } from './sessions/purge-old-sessions/purge-old-sessions.ts';
import { insertEntry } from './store/audit-repository.ts';
import { recordKeyUse } from './store/signing-key-repository.ts';

export const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));

const minuteMs = 60_000;

/** How many logins run and wait at once. A longer queue would fill with guesses and delay other users' logins. */
const loginLimits = { atOnce: 8, mostWaiting: 64 };

export const startAccounts = async (
  config: Config,
  options: { topology?: Topology } = {},
): Promise<Running> => {
  const tokens = await createAccessTokens(config.JWT_PRIVATE_KEY);
  const logger = createLogger('accounts', config.LOG_LEVEL);
  // This service authenticates requests itself, so it needs no URL of the accounts service.
  const authenticator = new OwnAuthenticator([], logger);
  return startPostgresService(
    'accounts',
    { ...config, ACCOUNTS_URL: [] },
    {
      ...options,
      authenticator,
      migrations,
      async build(service) {
        const { pool } = service;
        await recordKeyUse(pool, tokens.publicKey);
        authenticator.useDatabase(pool);
        const images = await createImageStore(config, { prefix: picturePrefixes.accounts, pool });
        const factorKeys = config.FACTOR_KEY ?? [];
        const deps: Deps = {
          ...service,
          tokens,
          hasher: await createPasswordHasher(),
          limits: createRateLimits(pool, config.RATE_LIMIT_FACTOR),
          quotas: createQuotas(config.RATE_LIMIT_FACTOR),
          attempts: new RecentAttempts(),
          loginTurns: new Turns(loginLimits),
          cookie: createRefreshCookie(config.PUBLIC_URL),
          device: createDeviceCookie(tokens.deviceKey, config.PUBLIC_URL),
          challenges: createLoginChallenges(tokens.challengeKey),
          passkeyChallenges: createPasskeyChallenges(tokens.passkeyKey),
          relyingParty: relyingPartyOf(config.PUBLIC_URL),
          images,
          catalog: new Upstreams(config.CATALOG_URL),
          messaging: new Upstreams(config.MESSAGING_URL),
          places: new UsPlaces(),
          zips: new UsZips(),
          countryOf: createCountries(),
          secretBox: createSecretBox(factorKeys),
          canSeal: factorKeys.length > 0,
          requireAdminMfa: config.REQUIRE_ADMIN_MFA,
          bookings: new Upstreams(config.BOOKINGS_URL),
          payments: new Upstreams(config.PAYMENTS_URL),
          notifications: new Upstreams(config.NOTIFICATIONS_URL),
          internalSecret: config.INTERNAL_SECRET[0],
        };
        await makeFirstAdmin(deps, config);
        return {
          routes: routes(deps),
          consumers: consumers(deps),
          auditLog: { add: (act, tx) => insertEntry(tx ?? pool, act) },
          tasks: {
            'delete-account': (userId) => deleteAccount(deps, userId),
            'make-data-export': (id) => makeDataExport(deps, id),
          },
          jobs: [
            {
              name: 'note-key-in-use',
              everyMs: minuteMs,
              run: () => recordKeyUse(pool, tokens.publicKey),
            },
          ],
          purges: {
            ...sessionPurges(pool),
            reports: purgeReports(pool),
            pictures: purgeUserPictures(deps),
          },
          lacks: images.lacks,
        };
      },
    },
  );
};

/** Creates the first admin. Never promotes an existing account: a stranger may have signed up with that email. */
const makeFirstAdmin = async (
  deps: Deps,
  { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: Config,
): Promise<void> => {
  if (!email || !password || (await hasAdmin(deps.pool))) return;
  const problem = await findPasswordProblem(password, { email });
  if (problem) throw new ConfigError(`ADMIN_PASSWORD: ${problem.message}`);
  const made = await makeAdmin(deps, { email, password, promote: false });
  deps.logger.info({ made }, 'first admin from ADMIN_EMAIL');
};
