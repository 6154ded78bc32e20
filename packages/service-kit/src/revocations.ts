import type { Event } from '@lendtools/contracts';
import { z } from 'zod';

/** No token lives longer, so nothing need be remembered longer. */
export const accessTokenMinutes = 15;

/** What accounts answers at `/internal/revocations`: what ended within a token's life. Times are epoch ms. */
export const revocationsReply = z.object({
  sessions: z.array(z.object({ sessionId: z.string(), at: z.number() })),
  users: z.array(z.object({ userId: z.string(), at: z.number() })),
});

/** The sessions that ended, and the users whose earlier tokens no longer count, within a token's life. */
export class Revocations {
  readonly #sessions = new Map<string, number>();
  readonly #users = new Map<string, number>();
  readonly #listeners = new Set<(userId?: string) => void>();

  /**
   * Called with whose access, or one session's, has ended, so that open sockets can be dropped; after a load with
   * nobody's id, because it may be anybody's.
   */
  onRevoked(listener: (userId?: string) => void): void {
    this.#listeners.add(listener);
  }

  load(known: z.infer<typeof revocationsReply>): void {
    for (const { sessionId, at } of known.sessions) this.#sessions.set(sessionId, at);
    for (const { userId, at } of known.users) {
      this.#users.set(userId, Math.max(at, this.#users.get(userId) ?? 0));
    }
    this.#forget();
    this.#tell();
  }

  /** Takes a `SessionEnded`, `AccountDisabled` or `RoleChanged`. */
  apply(event: Event<'SessionEnded' | 'AccountDisabled' | 'RoleChanged'>): void {
    const at = Date.parse(event.occurredAt);
    const { userId } = event.data;
    if (event.type === 'SessionEnded') {
      this.#sessions.set(event.data.sessionId, at);
      this.#tell(userId);
    } else if (event.type === 'RoleChanged' || event.data.disabled) {
      this.#users.set(userId, Math.max(at, this.#users.get(userId) ?? 0));
      this.#tell(userId);
    }
    this.#forget();
  }

  refuses(token: { userId: string; sessionId: string; issuedAtMs: number }): boolean {
    return (
      this.#sessions.has(token.sessionId) ||
      token.issuedAtMs <= (this.#users.get(token.userId) ?? 0)
    );
  }

  #tell(userId?: string): void {
    for (const listener of this.#listeners) listener(userId);
  }

  #forget(): void {
    const oldest = Date.now() - (accessTokenMinutes + 1) * 60_000;
    for (const map of [this.#sessions, this.#users]) {
      for (const [key, at] of map) if (at < oldest) map.delete(key);
    }
  }
}
