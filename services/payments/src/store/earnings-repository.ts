import type { Db } from '@lendtools/service-kit';
import type { EarningBalances } from '../domain/earnings.ts';
import { blocksPayment } from './dispute-repository.ts';
import { isReturned } from './reversal-repository.ts';

/** The entries of an owner's shares. */
const ofOwner = 'FROM ledger WHERE owner_id = $1 AND booking_id IS NOT NULL';

/** The change of an account by an entry. */
const moved = (account: string) =>
  `CASE '${account}' WHEN to_account THEN cents WHEN from_account THEN -cents ELSE 0 END`;

const listOf = (accounts: string[]) => accounts.map((account) => `'${account}'`).join(', ');
/** What the operator owes the owner: released and not transferred, less debts. */
const owed = listOf(['available', 'sending', 'debts']);
const released = listOf(['available', 'sending', 'debts', 'commission']);

/** How an entry changes what the owner has earned, as in `monthMoney` of the contracts. */
const changes = {
  price: `CASE WHEN from_account = 'pending' AND to_account IN ('available', 'commission') THEN cents ELSE 0 END`,
  refunded: `CASE
    WHEN from_account IN (${released}) AND to_account NOT IN (${released}, 'owner', 'netting', 'losses') THEN cents
    WHEN to_account IN (${released}) AND from_account NOT IN (${released}, 'owner', 'netting', 'pending', 'losses') THEN -cents
    ELSE 0 END`,
  commission: moved('commission'),
  writtenOff: `CASE
    WHEN from_account = 'losses' AND to_account = 'debts' THEN cents
    WHEN from_account = 'debts' AND to_account = 'losses' THEN -cents
    ELSE 0 END`,
  transferred: `CASE
    WHEN from_account IN (${owed}) AND to_account = 'owner' THEN cents
    WHEN to_account IN (${owed}) AND from_account = 'owner' THEN -cents
    ELSE 0 END`,
  amount: `CASE WHEN to_account IN (${owed}) THEN cents ELSE 0 END - CASE WHEN from_account IN (${owed}) THEN cents ELSE 0 END`,
};

const sumOf = (change: string, filter = '') =>
  `coalesce(sum(${change})${filter && ` FILTER (WHERE ${filter})`}, 0)::bigint`;

const isDisputed = `EXISTS (SELECT FROM disputes d WHERE d.payment_id = s.payment_id AND ${blocksPayment})`;
const hasReturned = `EXISTS (SELECT FROM transfers t JOIN transfer_reversals r ON r.transfer = t.id
  WHERE t.payment_id = s.payment_id AND t.booking_id = s.booking_id AND ${isReturned})`;

/** By booking and payment. Money that the operator returned by hand is not counted, as in `balancesOfShare`. */
const shares = `
  SELECT booking_id, payment_id,
    sum(CASE WHEN from_account = 'unallocated' AND to_account = 'pending' THEN cents
      WHEN from_account = 'pending' AND to_account = 'unallocated' THEN -cents ELSE 0 END) AS paid,
    sum(${moved('pending')}) AS pending,
    sum(${moved('available')}) + sum(${moved('sending')}) AS available,
    sum(${moved('commission')}) AS commission,
    sum(${moved('owner')}) AS transferred,
    sum(${moved('netting')}) AS netted,
    sum(CASE WHEN starts_with(key, 'by-hand:') OR from_account = 'due' THEN 0 ELSE ${moved('operator')} END) AS operator,
    sum(${moved('debts')}) AS debts,
    sum(${changes.writtenOff}) AS written_off,
    max(happened_at) FILTER (WHERE to_account = 'owner') AS sent_at
  ${ofOwner} GROUP BY booking_id, payment_id`;

export interface BookingEarnings extends EarningBalances {
  bookingId: string;
  isDisputed: boolean;
  isReturned: boolean;
  /** When a rejected transfer is tried again. */
  retryAt: Date | null;
  transferredAt: Date | null;
}

const balances = [
  'paid',
  'available',
  'commission',
  'transferred',
  'netted',
  'operator',
  'debts',
  'written_off',
];

/** By booking. */
const bookings = `
  SELECT s.booking_id, max(sent_at) AS sent_at, ${balances.map((name) => `${sumOf(name)} AS ${name}`).join(', ')},
    sum(pending) > 0 OR sum(available) > 0 OR sum(debts) < 0 AS waits,
    coalesce(json_agg(json_build_object('pendingCents', pending, 'releasedCents',
      available + commission + transferred + netted + debts - written_off, 'commissionCents', commission, 'isFirst', n = 1))
      FILTER (WHERE pending > 0), '[]') AS pending,
    bool_or(pending + available > 0 AND ${isDisputed}) AS is_disputed,
    bool_or(available > 0 AND ${hasReturned}) AS is_returned,
    min((SELECT min(next_try_at) FROM transfers t WHERE t.payment_id = s.payment_id AND t.booking_id = s.booking_id
      AND t.status = 'rejected' AND t.next_try_at < 'infinity')) FILTER (WHERE available > 0) AS retry_at
  FROM (
    SELECT shares.*, row_number() OVER (PARTITION BY booking_id ORDER BY p.succeeded_at, p.id) AS n
    FROM (${shares}) shares JOIN payments p ON p.id = shares.payment_id) s
  GROUP BY s.booking_id`;

const balanceColumns = (read: (name: string) => string) => `
  ${read('paid')} AS "paidCents", ${read('available')} AS "availableCents", ${read('commission')} AS "commissionCents",
  ${read('transferred')} AS "transferredCents", ${read('netted')} AS "nettedCents", ${read('operator')} AS "operatorCents",
  -${read('debts')} AS "debtCents", ${read('written_off')} AS "writtenOffCents"`;

const bookingColumns = `booking_id AS "bookingId", ${balanceColumns((name) => name)}, pending,
  is_disputed AS "isDisputed", is_returned AS "isReturned", retry_at AS "retryAt", sent_at AS "transferredAt"`;

export interface EarningsRange {
  before: string | null;
  limit: number;
  when: 'waiting' | 'over' | undefined;
}

/** What an owner has earned with all bookings. */
export interface AllEarnings {
  /** `pending` is empty. */
  sums: EarningBalances;
  /** The bookings of which something is on the way, available or owed. */
  waiting: BookingEarnings[];
}

/**
 * A page of an owner's bookings, newest first, and if `withAll` is true what all of them add up to. One statement, because the
 * entries of a large owner take longest to read.
 */
export const readEarnings = async (
  db: Db,
  ownerId: string,
  { before, limit, when, withAll }: EarningsRange & { withAll: boolean },
): Promise<{ page: BookingEarnings[]; all: AllEarnings | undefined }> => {
  const waits = when === undefined ? null : when === 'waiting';
  const { rows } = await db.query<BookingEarnings & { part: 'page' | 'waiting' | 'sums' }>(
    `WITH bookings AS MATERIALIZED (${bookings})
     SELECT 'page' AS part, page.* FROM (
       SELECT ${bookingColumns} FROM bookings
       WHERE ($2::uuid IS NULL OR booking_id < $2) AND ($4::boolean IS NULL OR waits = $4)
       ORDER BY booking_id DESC LIMIT $3) page
     UNION ALL
     SELECT 'waiting', ${bookingColumns} FROM bookings WHERE waits AND $5
     UNION ALL
     SELECT 'sums', NULL, ${balanceColumns(sumOf)}, '[]', false, false, NULL, NULL FROM bookings WHERE $5
     ORDER BY part, "bookingId" DESC`,
    [ownerId, before, limit, waits, withAll],
  );
  const partOf = (name: string) => rows.flatMap(({ part, ...row }) => (part === name ? [row] : []));
  const [sums] = partOf('sums');
  return {
    page: partOf('page'),
    all: withAll && sums ? { sums, waiting: partOf('waiting') } : undefined,
  };
};

export interface MonthSums {
  priceCents: number;
  refundedCents: number;
  commissionCents: number;
  earnedCents: number;
  writtenOffCents: number;
  transferredCents: number;
}

const monthSums = (filter?: string) => `
  ${sumOf(changes.price, filter)} AS "priceCents", ${sumOf(changes.refunded, filter)} AS "refundedCents",
  ${sumOf(changes.commission, filter)} AS "commissionCents",
  ${sumOf(`${changes.price} - ${changes.refunded} - ${changes.commission}`, filter)} AS "earnedCents",
  ${sumOf(changes.writtenOff, filter)} AS "writtenOffCents", ${sumOf(changes.transferred, filter)} AS "transferredCents"`;

const monthInUtc = `date_trunc('month', posted_at AT TIME ZONE 'UTC')`;

/** The months in UTC in which something was earned or transferred, newest first. */
export const listMonths = async (
  db: Db,
  ownerId: string,
): Promise<(MonthSums & { month: string })[]> => {
  const { rows } = await db.query<MonthSums & { month: string }>(
    `SELECT to_char(${monthInUtc}, 'YYYY-MM') AS month, ${monthSums()}
     ${ofOwner} AND (from_account IN (${released}) OR to_account IN (${released}))
     GROUP BY ${monthInUtc} ORDER BY ${monthInUtc} DESC`,
    [ownerId],
  );
  return rows;
};

export interface StatementSums extends MonthSums {
  openingCents: number;
  closingCents: number;
}

interface Span {
  from: Date;
  to: Date;
}

export const sumMonth = async (
  db: Db,
  ownerId: string,
  { from, to }: Span,
): Promise<StatementSums> => {
  const { rows } = await db.query<StatementSums>(
    `SELECT ${monthSums('posted_at >= $2')}, ${sumOf(changes.amount, 'posted_at < $2')} AS "openingCents",
       ${sumOf(changes.amount)} AS "closingCents"
     ${ofOwner} AND posted_at < $3`,
    [ownerId, from, to],
  );
  return rows[0] as StatementSums;
};

export interface LedgerLine {
  at: Date;
  kind: 'release' | 'refund' | 'dispute' | 'transfer' | 'reversal' | 'netting' | 'write-off';
  bookingId: string;
  priceCents: number;
  commissionCents: number;
  amountCents: number;
}

/** The movements that changed what an owner has earned, by booking, oldest first. */
export const listLines = async (
  db: Db,
  ownerId: string,
  { from, to }: Span,
): Promise<LedgerLine[]> => {
  const { rows } = await db.query<LedgerLine>(
    `SELECT min(posted_at) AS at, booking_id AS "bookingId",
       CASE WHEN 'losses' IN (from_account, to_account) THEN 'write-off' ELSE
         CASE split_part(key, ':', 1) WHEN 'release' THEN 'release' WHEN 'loss' THEN 'dispute' WHEN 'transfer' THEN 'transfer'
           WHEN 'reversal' THEN 'reversal' WHEN 'netting' THEN 'netting' ELSE 'refund' END END AS kind,
       ${sumOf(`${changes.price} - ${changes.refunded}`)} AS "priceCents", ${sumOf(changes.commission)} AS "commissionCents",
       ${sumOf(changes.amount)} AS "amountCents"
     ${ofOwner} AND posted_at >= $2 AND posted_at < $3
     GROUP BY key, booking_id, kind
     HAVING sum(${changes.amount}) <> 0 OR sum(${changes.commission}) <> 0
     ORDER BY 1, key, booking_id, kind`,
    [ownerId, from, to],
  );
  return rows;
};
