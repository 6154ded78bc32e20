import type { Event, Revoked } from '@lendtools/contracts';

export const accessTokenMinutes = 15;

/**
 * How long an end is remembered. Longer than a token lives by as much as the clocks of two machines may differ: a
 * token that ends by the clock of accounts may count for longer by ours.
 */
export const rememberMinutes = 60;

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
    for (const { sessionId } of known.sessions) this.#endSession(sessionId);
    for (const { userId, version } of known.users) this.#cutUser(userId, version);
    this.#forget();
    this.#tell();
  }

  /** Takes a `SessionEnded`, `AccountDisabled` or `RoleChanged`. */
  apply(event: Event<'SessionEnded' | 'AccountDisabled' | 'RoleChanged'>): void {
    const { userId } = event.data;
    if (event.type === 'SessionEnded') {
      this.#endSession(event.data.sessionId);
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

  #endSession(sessionId: string): void {
    this.#sessions.set(sessionId, { forgetAtMs: forgetAtMs() });
  }

  #cutUser(userId: string, version: number): void {
    const known = this.#users.get(userId)?.version ?? 0;
    this.#users.set(userId, { version: Math.max(version, known), forgetAtMs: forgetAtMs() });
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

/** Counted from its arrival, by a clock that nobody sets. */
const forgetAtMs = (): number => performance.now() + rememberMinutes * 60_000;
