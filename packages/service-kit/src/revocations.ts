import type { Event, Revoked } from '@lendtools/contracts';

export const accessTokenMinutes = 15;

/** A plain login gets no refresh token, so its access token lasts a working day. */
export const loginTokenHours = 12;

/**
 * Revocations are kept this much longer than tokens, because a machine's slow clock may still consider a token valid.
 */
export const clockToleranceMinutes = 45;

/**
 * Ended sessions, and users whose older tokens are invalid. Tokens are compared by the user's version in the database,
 * because replicas' clocks may disagree.
 */
export class Revocations {
  readonly #sessions = new Map<string, { forgetAtMs: number }>();
  readonly #users = new Map<string, { version: number; forgetAtMs: number }>();
  readonly #listeners = new Set<(userId?: string) => void>();

  /** Calls the listener when access ends, so that it can close sockets. Without a user id, any user may be affected. */
  onRevoked(listener: (userId?: string) => void): void {
    this.#listeners.add(listener);
  }

  load(known: Revoked): void {
    for (const session of known.sessions) this.#endSession(session);
    for (const { userId, version } of known.users) this.#cutUser(userId, version);
    this.#dropExpired();
    this.#notify();
  }

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

  rejects(token: { userId: string; sessionId: string; userVersion: number }): boolean {
    return (
      this.#sessions.has(token.sessionId) ||
      token.userVersion < (this.#users.get(token.userId)?.version ?? 0)
    );
  }

  #endSession({ sessionId, accessUntil }: Revoked['sessions'][number]): void {
    const lifetimeMs = Date.parse(accessUntil) - Date.now();
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

/** Returns when to forget a revocation that arrives now, on the monotonic clock. */
const forgetAtMs = (lifetimeMs: number): number =>
  performance.now() + lifetimeMs + clockToleranceMinutes * 60_000;
