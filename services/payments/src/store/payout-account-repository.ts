import { columns, type Db, type Transaction } from '@lendtools/service-kit';
import type { PayoutStatus } from '../domain/payout-account.ts';

export interface StoredAccount extends PayoutStatus {
  ownerId: string;
  /** Stripe's id; null until the account was created. */
  accountId: string | null;
  isHeld: boolean;
  version: number;
  readAt: Date | null;
}

const accountColumns = `${columns('ownerId accountId state needsInformation neededBy version readAt')},
  in_review AS "isInReview", held_by_admin OR owner_disabled AS "isHeld"`;

export const findAccount = async (db: Db, ownerId: string): Promise<StoredAccount | undefined> => {
  const { rows } = await db.query<StoredAccount>(
    `SELECT ${accountColumns} FROM payout_accounts WHERE owner_id = $1`,
    [ownerId],
  );
  return rows[0];
};

export const findAccountByStripeId = async (
  db: Db,
  accountId: string,
): Promise<StoredAccount | undefined> => {
  const { rows } = await db.query<StoredAccount>(
    `SELECT ${accountColumns} FROM payout_accounts WHERE account_id = $1`,
    [accountId],
  );
  return rows[0];
};

/** Inserts the owner's row if there is none, and locks it. */
export const lockAccount = async (tx: Transaction, ownerId: string): Promise<StoredAccount> => {
  await tx.query('INSERT INTO payout_accounts (owner_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    ownerId,
  ]);
  const { rows } = await tx.query<StoredAccount>(
    `SELECT ${accountColumns} FROM payout_accounts WHERE owner_id = $1 FOR UPDATE`,
    [ownerId],
  );
  return rows[0] as StoredAccount;
};

/**
 * Locks the rows of owners, as far as there are any. What owners owe changes only under this lock. Lock payments first:
 * otherwise two transactions could deadlock.
 */
export const lockAccounts = async (
  tx: Transaction,
  ownerIds: readonly string[],
): Promise<StoredAccount[]> => {
  const { rows } = await tx.query<StoredAccount>(
    `SELECT ${accountColumns} FROM payout_accounts WHERE owner_id = ANY ($1) ORDER BY owner_id FOR UPDATE`,
    [ownerIds],
  );
  return rows;
};

/**
 * Records that an account is being created, before Stripe is called.
 * @returns `since`: when an earlier try began whose outcome is unknown
 */
export const beginCreation = async (
  db: Db,
  ownerId: string,
): Promise<{ attempt: number; since: Date | null }> => {
  const { rows } = await db.query<{ attempt: number; since: Date | null }>(
    `INSERT INTO payout_accounts AS a (owner_id, creating_since) VALUES ($1, clock_timestamp())
     ON CONFLICT (owner_id) DO UPDATE SET creating_since = coalesce(a.creating_since, excluded.creating_since)
     RETURNING attempt, old.creating_since AS since`,
    [ownerId],
  );
  return rows[0] as { attempt: number; since: Date | null };
};

/** Changes the idempotency key of the next try. A no-op if a concurrent request has changed it. */
export const nextAttempt = async (db: Db, ownerId: string, attempt: number): Promise<void> => {
  await db.query(
    'UPDATE payout_accounts SET attempt = attempt + 1 WHERE owner_id = $1 AND attempt = $2',
    [ownerId, attempt],
  );
};

/**
 * Stores what Stripe replied to a request of `readAt`, and reads the account again a day later. An owner who was ready once
 * is not reminded to set payouts up: if they stop later, \`PayoutAccountChanged\` says so.
 */
export const saveStatus = async (
  tx: Transaction,
  { ownerId, accountId, readAt, ...status }: Omit<StoredAccount, 'isHeld' | 'version'>,
): Promise<number> => {
  const { rows } = await tx.query<{ version: number }>(
    `UPDATE payout_accounts SET account_id = $2, state = $3, needs_information = $4, in_review = $5, needed_by = $6, read_at = $7,
       version = version + 1, creating_since = NULL, next_check_at = now() + interval '1 day',
       reminders = CASE $3 WHEN 'ready' THEN 3 ELSE reminders END, attempt = attempt + ($3 = 'not-started' AND state <> 'not-started')::int
     WHERE owner_id = $1 RETURNING version`,
    [
      ownerId,
      accountId,
      status.state,
      status.needsInformation,
      status.isInReview,
      status.neededBy,
      readAt,
    ],
  );
  return rows[0]?.version as number;
};

export const holdByAdmin = async (db: Db, ownerId: string, isHeld: boolean): Promise<void> => {
  await db.query(
    `INSERT INTO payout_accounts (owner_id, held_by_admin) VALUES ($1, $2)
     ON CONFLICT (owner_id) DO UPDATE SET held_by_admin = excluded.held_by_admin`,
    [ownerId, isHeld],
  );
};

/** Ignores an event that is older than the last one. */
export const saveOwnerDisabled = async (
  db: Db,
  { ownerId, isDisabled, version }: { ownerId: string; isDisabled: boolean; version: number },
): Promise<void> => {
  await db.query(
    `INSERT INTO payout_accounts AS a (owner_id, owner_disabled, owner_version) VALUES ($1, $2, $3)
     ON CONFLICT (owner_id) DO UPDATE SET owner_disabled = excluded.owner_disabled, owner_version = excluded.owner_version
     WHERE a.owner_version < excluded.owner_version`,
    [ownerId, isDisabled, version],
  );
};

export const saveFirstBooking = async (db: Db, ownerId: string, at: string): Promise<void> => {
  await db.query(
    `INSERT INTO payout_accounts AS a (owner_id, first_booked_at) VALUES ($1, $2)
     ON CONFLICT (owner_id) DO UPDATE SET first_booked_at = excluded.first_booked_at
     WHERE a.first_booked_at IS NULL OR a.first_booked_at > excluded.first_booked_at`,
    [ownerId, at],
  );
};

/** An owner's earnings that were not transferred, before the commission. */
export const sumEarnings = async (db: Db, ownerId: string): Promise<number> => {
  const { rows } = await db.query<{ cents: number }>(
    `SELECT coalesce(sum(CASE WHEN to_account IN ('pending', 'available') THEN cents ELSE 0 END
       - CASE WHEN from_account IN ('pending', 'available') THEN cents ELSE 0 END), 0)::float8 AS cents
     FROM ledger WHERE owner_id = $1`,
    [ownerId],
  );
  return rows[0]?.cents ?? 0;
};

/**
 * Marks the reminders that are due as sent: after an outage, several are one. If none is due yet, fires the trigger that
 * schedules the next one and returns undefined.
 */
export const claimReminder = async (
  tx: Transaction,
  ownerId: string,
): Promise<StoredAccount | undefined> => {
  const { rows } = await tx.query<StoredAccount>(
    `UPDATE payout_accounts a SET version = version + 1,
       reminders = (SELECT count(*) FROM unnest(ARRAY[1, 7, 30]) day WHERE first_booked_at + day * interval '1 day' <= now())
     WHERE owner_id = $1 AND payout_reminder_at(a) <= now() RETURNING ${accountColumns}`,
    [ownerId],
  );
  if (!rows[0])
    await tx.query('UPDATE payout_accounts SET reminders = reminders WHERE owner_id = $1', [
      ownerId,
    ]);
  return rows[0];
};

/** The next paid booking starts the reminders again. */
export const endReminders = async (tx: Transaction, ownerId: string): Promise<void> => {
  await tx.query(
    'UPDATE payout_accounts SET first_booked_at = NULL, reminders = 0 WHERE owner_id = $1',
    [ownerId],
  );
};

/** Reads the owner's account again at once. */
export const checkAccountNow = async (tx: Transaction, ownerId: string): Promise<void> => {
  await tx.query(
    'UPDATE payout_accounts SET next_check_at = now() WHERE owner_id = $1 AND account_id IS NOT NULL',
    [ownerId],
  );
};

/** If the next read is not due yet, fires the trigger that schedules it and returns false. */
export const isCheckDue = async (db: Db, ownerId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    'UPDATE payout_accounts SET next_check_at = next_check_at WHERE owner_id = $1 AND next_check_at > now()',
    [ownerId],
  );
  return rowCount === 0;
};
