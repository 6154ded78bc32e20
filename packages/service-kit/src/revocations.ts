import type { Event, Revoked } from '@lendtools/contracts';

/** The lifetime of an access token that can be refreshed. */
export const accessTokenMinutes = 15;

/** The lifetime of an access token from a plain login, which cannot be refreshed: a working day. */
export const loginTokenHours = 12;

/**
 * How much longer than its tokens a revocation is kept. Machine clocks differ: a token that has expired at accounts
 * may still be valid here.
 */
export const clockToleranceMinutes = 45;

/**
 * Ended sessions, and users whose older tokens are invalid. Age is compared by the user's version, a counter in the
 * database, because replicas' clocks may disagree.
 */
export class Revocations {
  readonly #sessions = new Map<string, { forgetAtMs: number }>();
  readonly #users = new Map<string, { version: number; forgetAtMs: number }>();
  readonly #listeners = new Set<(userId?: string) => void>();

  /**
   * Calls the listener when access ends, so that it can close open sockets: with the user's id, or without one after
   * a load, which may affect anyone.
   */
  onRevoked(listener: (userId?: string) => void): void {
    this.#listeners.add(listener);
  }

  load(known: Revoked): void {
    for (const session of known.sessions) this.#endSession(session);
    for (const { userId, version } of known.users) this.#cutUser(userId, version);
    this.#dropExpired();
    this.#notify();
  }

  /** Applies a `SessionEnded`, `AccountDisabled` or `RoleChanged` event. */
  apply(event: Event<'SessionEnded' | 'AccountDisabled' | 'RoleChanged'>): void {
    const { userId } = event.data;
    if (event.type === 'SessionEnded') {
      this.#endSession(event.data);
      this.#notify(userId);
    } else if (event.type === 'RoleChanged' || event.data.disabled) {
      this.#cutUser(userId, event.version);
      this.#notify(userId);
    }
    this.#dropExpired();
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

  #notify(userId?: string): void {
    for (const listener of this.#listeners) listener(userId);
  }

  #dropExpired(): void {
    for (const map of [this.#sessions, this.#users]) {
      for (const [key, { forgetAtMs }] of map) if (forgetAtMs < performance.now()) map.delete(key);
    }
  }
}

/** The expiry on the monotonic clock, counted from when the revocation arrived. */
const forgetAtMs = (lifetimeMs: number): number =>
  performance.now() + lifetimeMs + clockToleranceMinutes * 60_000;
