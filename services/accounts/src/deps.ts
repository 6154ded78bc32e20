import type { Envelope, Event, revocationEvents } from '@lendtools/contracts';
import { addToOutbox } from '@lendtools/event-bus';
import {
  type ImageStore,
  inTransaction,
  type Pool,
  type Revocations,
  type Transaction,
  type Turns,
} from '@lendtools/service-kit';
import type { ServiceDeps } from '@lendtools/service-runtime';
import type { AccessTokens } from './access-tokens.ts';
import type { DeviceCookie } from './device-cookie.ts';
import type { UsPlaces } from './domain/us-places.ts';
import type { UsZips } from './domain/us-zips.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { Quotas } from './quotas.ts';
import type { RateLimits } from './rate-limits.ts';
import type { RecentAttempts } from './recent-attempts.ts';
import type { RefreshCookie } from './refresh-cookie.ts';

export interface Deps extends ServiceDeps {
  pool: Pool;
  tokens: AccessTokens;
  hasher: PasswordHasher;
  limits: RateLimits;
  attempts: RecentAttempts;
  /** Keeps concurrent logins from using up the database connections. */
  loginTurns: Turns;
  quotas: Quotas;
  cookie: RefreshCookie;
  device: DeviceCookie;
  images: ImageStore;
  places: UsPlaces;
  zips: UsZips;
}

type RevocationEvent = Event<(typeof revocationEvents)[number]>;

/**
 * Runs a transaction that ends access. Its events are published with the commit; this replica applies them
 * immediately, other replicas when they consume them.
 */
export const cutAccess = async <T>(
  { pool, authenticator }: { pool: Pool; authenticator: { revocations: Revocations } },
  work: (tx: Transaction, publish: (...events: Envelope[]) => void) => Promise<T>,
): Promise<T> => {
  const { result, published } = await inTransaction(pool, async (tx) => {
    const published: Envelope[] = [];
    const result = await work(tx, (...events) => published.push(...events));
    await addToOutbox(tx, ...published);
    return { result, published };
  });
  for (const event of published) {
    if (isRevocation(event)) authenticator.revocations.apply(event);
  }
  return result;
};

const isRevocation = (event: Envelope): event is RevocationEvent =>
  ['SessionEnded', 'AccountDisabled', 'RoleChanged'].includes(event.type);
