import { fileURLToPath } from 'node:url';
import { routes as apiRoutes, picturePrefixes } from '@lendtools/contracts';
import type { Topology } from '@lendtools/event-bus';
import { createImageStore, createLogger, type Running, Turns } from '@lendtools/service-kit';
import { startPostgresService } from '@lendtools/service-runtime';
import { createAccessTokens, OwnAuthenticator } from './access-tokens.ts';
import { routes } from './app.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createDeviceCookie } from './device-cookie.ts';
import { UsPlaces } from './domain/us-places.ts';
import { UsZips } from './domain/us-zips.ts';
import { hasAdmin, makeAdmin } from './make-first-admin/make-first-admin.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { sessionPurges } from './purge-old-sessions/purge-old-sessions.ts';
import { purgeUserPictures } from './purge-user-pictures/purge-user-pictures.ts';
import { createQuotas } from './quotas.ts';
import { createRateLimits } from './rate-limits.ts';
import { RecentAttempts } from './recent-attempts.ts';
import { createRefreshCookie } from './refresh-cookie.ts';
import { recordKeyUse } from './signing-key-repository.ts';

export const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));

const minuteMs = 60_000;

/**
 * How many logins are processed and wait at once. A longer queue would fill with guesses that arrived early, and delay
 * other people's logins.
 */
const loginLimits = { atOnce: 8, mostWaiting: 64 };

/** Starts the service. Accounts consumes only revocations, those of its own replicas. */
export const startAccounts = async (
  config: Config,
  options: { topology?: Topology } = {},
): Promise<Running> => {
  const tokens = await createAccessTokens(config.JWT_PRIVATE_KEY);
  const logger = createLogger('accounts', config.LOG_LEVEL);
  // Accounts authenticates requests itself, so it needs no address of accounts.
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
        const deps: Deps = {
          ...service,
          tokens,
          hasher: await createPasswordHasher(),
          limits: createRateLimits(pool, config.RATE_LIMIT_FACTOR),
          quotas: createQuotas(config.RATE_LIMIT_FACTOR),
          attempts: new RecentAttempts(),
          loginTurns: new Turns(loginLimits),
          cookie: createRefreshCookie(config.PUBLIC_URL),
          device: createDeviceCookie(tokens.deviceKey, {
            publicUrl: config.PUBLIC_URL,
            path: apiRoutes.login.path,
          }),
          images,
          places: new UsPlaces(),
          zips: new UsZips(),
        };
        await makeFirstAdmin(deps, config);
        return {
          routes: routes(deps),
          consumers: [],
          jobs: [
            {
              name: 'note-key-in-use',
              everyMs: minuteMs,
              run: () => recordKeyUse(pool, tokens.publicKey),
            },
          ],
          purges: { ...sessionPurges(pool), pictures: purgeUserPictures(deps) },
          lacks: images.lacks,
        };
      },
    },
  );
};

/**
 * Creates the first admin while there is none. Never promotes an existing account: a stranger may have signed up with
 * that email.
 */
const makeFirstAdmin = async (
  deps: Deps,
  { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: Config,
): Promise<void> => {
  if (!email || !password || (await hasAdmin(deps.pool))) return;
  const made = await makeAdmin(deps, { email, password, promote: false });
  deps.logger.info({ made }, 'first admin from ADMIN_EMAIL');
};
