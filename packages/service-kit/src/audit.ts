import { randomUUIDv7 } from 'node:crypto';
import { type AdminAct, type Route, routeNameOf } from '@lendtools/contracts';
import type { Caller } from './auth.ts';
import { currentContext } from './context.ts';
import type { Transaction } from './database.ts';

/** Where a service stores what admins do: an event in its outbox or, in accounts, the table itself. */
export interface AuditLog {
  /** Stores the act in the transaction, or in one of its own. */
  add(act: AdminAct, tx?: Transaction): Promise<void>;
}

type State = 'not as an admin' | 'to record' | 'recording' | 'recorded';

interface Made {
  route: Route;
  caller: Caller;
  requestId: string;
  input: { params: Fields; query: Fields; body: Fields };
}
type Fields = Record<string, unknown>;

/**
 * One request of an admin, which is recorded once. A change is recorded in its own transaction, by `inTransaction`, so that neither can
 * exist without the other. A read is recorded before its reply is sent.
 */
export class ActOfAdmin {
  readonly #log: AuditLog;
  readonly #made: Made;
  #subject: string | null;
  #state: State;

  constructor(log: AuditLog, made: Made) {
    this.#log = log;
    this.#made = made;
    this.#subject = subjectOf(made);
    this.#state = made.route.who === 'admin' ? 'to record' : 'not as an admin';
  }

  /** The caller uses the rights of an admin, not those of an owner or a party. */
  actAsAdmin(subject?: string | undefined): void {
    this.#subject ??= subject ?? null;
    if (this.#state === 'not as an admin') this.#state = 'to record';
  }

  /** Adds a change to its transaction, before the commit. @returns whether it did, for `settle` */
  async addTo(tx: Transaction): Promise<boolean> {
    // A transaction of a read may be read-only.
    if (this.#state !== 'to record' || this.#made.route.method === 'GET') return false;
    this.#state = 'recording';
    try {
      await this.#log.add(this.#act(), tx);
    } catch (error) {
      this.#state = 'to record';
      throw error;
    }
    return true;
  }

  settle(isCommitted: boolean): void {
    this.#state = isCommitted ? 'recorded' : 'to record';
  }

  /** The request repeats an earlier one with its Idempotency-Key, which was recorded. */
  skip(): void {
    this.#state = 'recorded';
  }

  /** Records the act unless a transaction has. */
  async record(): Promise<void> {
    if (this.#state !== 'to record') return;
    this.#state = 'recording';
    await this.#log.add(this.#act());
    this.#state = 'recorded';
  }

  #act(): AdminAct {
    const { route, caller, requestId, input } = this.#made;
    const given = { ...input.query, ...input.body };
    const named = (route.audited || []).map((name) => {
      const field = name.replace(/\?$/, '');
      // Omit an empty search.
      return [field, field === name ? given[field] : Boolean(given[field]) || undefined] as const;
    });
    return {
      id: randomUUIDv7(),
      at: new Date().toISOString(),
      actorId: caller.userId,
      actorRole: caller.accountRole,
      action: routeNameOf(route),
      subject: this.#subject,
      details: Object.fromEntries(named.filter(isGiven)),
      requestId,
    };
  }
}

const isGiven = (field: readonly [string, unknown]): field is [string, string | number | boolean] =>
  ['string', 'number', 'boolean'].includes(typeof field[1]);

/** The most specific id in the address. Never an email, because the log must not store one. */
const subjectOf = ({ route, caller, input: { params, query } }: Made): string | null => {
  // In addresses such as `/user/:userId/…` of members' routes, the caller's own id.
  const isOwn = route.who !== 'admin' && params.userId === caller.userId;
  const ids = [
    params.id,
    params.messageId,
    params.bookingId,
    params.paymentId,
    params.stripeId,
    isOwn ? undefined : params.userId,
    params.month,
    query.userId,
    query.authorId,
  ];
  return ids.find((id) => typeof id === 'string') ?? null;
};

/** Marks that the caller uses the rights of an admin. No-op for other callers. */
export const actAsAdmin = (): void => currentContext()?.act?.actAsAdmin();

/** Marks that the request repeats an earlier one with its Idempotency-Key, which was recorded. No-op for other callers. */
export const skipAct = (): void => currentContext()?.act?.skip();

/**
 * Records what an admin reads or does before it happens, where no transaction does: before a file is sent, and on MongoDB. No-op for
 * other callers.
 */
export const recordAct = async (): Promise<void> => {
  await currentContext()?.act?.record();
};
