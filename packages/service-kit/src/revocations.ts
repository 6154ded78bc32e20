import type { Event, Revoked } from '@lendtools/contracts';

/** The lifetime of an access token whose holder can refresh it. */
export const accessTokenMinutes = 15;

/** The lifetime of an access token whose holder only logs in and cannot refresh: a working day. */
export const loginTokenHours = 12;

/**
 * How much longer than its tokens a revocation is remembered, because the clocks of two machines may differ: a token
 * that has expired by the clock of accounts may still be valid by ours.
 */
export const clockToleranceMinutes = 45;

/**
 * The sessions that ended, and the users whose earlier tokens no longer count. Earlier is by the user's version, which
 * the database counts: the replica that issued a token and the one that cut it may not agree on the time.
 */
export class Revocations {
  readonly #sessions = new Map<string, { forgetAtMs: number }>();
  readonly #users = new Map<string, { version: number; forgetAtMs: number }>();
  readonly #listeners = new Set<(userId?: string) => void>();

  /**
   * Called with whose access, or one session's, has ended, so that open sockets can be dropped; after a load with
   * nobody's id, because it may be anybody's.
   */
  onRevoked(listener: (userId?: string) => void): void {
    this.#listeners.add(listener);
  }

  load(known: Revoked): void {
    for (const session of known.sessions) this.#endSession(session);
    for (const { userId, version } of known.users) this.#cutUser(userId, version);
    this.#forget();
    this.#tell();
  }

  /** Takes a `SessionEnded`, `AccountDisabled` or `RoleChanged`. */
  apply(event: Event<'SessionEnded' | 'AccountDisabled' | 'RoleChanged'>): void {
    const { userId } = event.data;
    if (event.type === 'SessionEnded') {
      this.#endSession(event.data);
      this.#tell(userId);
    } else if (event.type === 'RoleChanged' || event.data.disabled) {
      this.#cutUser(userId, event.version);
      this.#tell(userId);
    }
    this.#forget();
  }

  refuses(token: { userId: string; sessionId: string; userVersion: number }): boolean {
    return (
      this.#sessions.has(token.sessionId) ||
      token.userVersion < (this.#users.get(token.userId)?.version ?? 0)
    );
  }

  #endSession({ sessionId, accessUntil }: Revoked['sessions'][number]): void {
    const lifetimeMs = accessUntil
      ? Date.parse(accessUntil) - Date.now()
      : accessTokenMinutes * 60_000;
    this.#sessions.set(sessionId, { forgetAtMs: forgetAtMs(lifetimeMs) });
  }

  #cutUser(userId: string, version: number): void {
    const known = this.#users.get(userId)?.version ?? 0;
    this.#users.set(userId, {
      version: Math.max(version, known),
      forgetAtMs: forgetAtMs(loginTokenHours * 3_600_000),
    });
  }

  #tell(userId?: string): void {
    for (const listener of this.#listeners) listener(userId);
  }

  #forget(): void {
    for (const map of [this.#sessions, this.#users]) {
      for (const [key, { forgetAtMs }] of map) if (forgetAtMs < performance.now()) map.delete(key);
    }
  }
}

/** Counted from the revocation's arrival, by the monotonic clock. */
const forgetAtMs = (lifetimeMs: number): number =>
  performance.now() + lifetimeMs + clockToleranceMinutes * 60_000;
