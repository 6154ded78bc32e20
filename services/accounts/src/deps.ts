import type { ImageStore, Pool, Turns, Upstreams } from '@lendtools/service-kit';
import type { ServiceDeps } from '@lendtools/service-runtime';
import type { AccessTokens } from './credentials/access-tokens.ts';
import type { DeviceCookie } from './credentials/device-cookie.ts';
import type { LoginChallenges } from './credentials/login-challenges.ts';
import type { PasskeyChallenges } from './credentials/passkey-challenges.ts';
import type { PasswordHasher } from './credentials/password-hasher.ts';
import type { RefreshCookie } from './credentials/refresh-cookie.ts';
import type { SecretBox } from './credentials/secret-box.ts';
import type { UsPlaces } from './domain/us-places.ts';
import type { UsZips } from './domain/us-zips.ts';
import type { Quotas } from './limits/quotas.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { RecentAttempts } from './limits/recent-attempts.ts';
import type { RelyingParty } from './second-factors/passkeys/passkey-options.ts';

export interface Deps extends ServiceDeps {
  pool: Pool;
  tokens: AccessTokens;
  hasher: PasswordHasher;
  limits: RateLimits;
  attempts: RecentAttempts;
  /** Queues logins, so that they cannot use up the database connections. */
  loginTurns: Turns;
  quotas: Quotas;
  cookie: RefreshCookie;
  device: DeviceCookie;
  challenges: LoginChallenges;
  passkeyChallenges: PasskeyChallenges;
  relyingParty: RelyingParty;
  images: ImageStore;
  catalog: Upstreams;
  messaging: Upstreams;
  places: UsPlaces;
  zips: UsZips;
  secretBox: SecretBox;
  /** Whether `FACTOR_KEY` is set, without which no authenticator app can be added. */
  canSeal: boolean;
  requireAdminMfa: boolean;
  bookings: Upstreams;
  payments: Upstreams;
  notifications: Upstreams;
  internalSecret: string;
  countryOf: (network: string | null) => string | null;
}
