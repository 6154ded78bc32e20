import { maxPageSize, type Payouts, routes } from '@lendtools/contracts';
import { forbidden, handle, inTransaction, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import {
  type EarnedMoney,
  type EarningBalances,
  earnedMoneyOf,
  nextTransferOf,
  type Wait,
  waitOf,
} from '../../domain/earnings.ts';
import {
  type AllEarnings,
  type BookingEarnings,
  type EarningsRange,
  listMonths,
  type MonthSums,
  readEarnings,
} from '../../store/earnings-repository.ts';
import { findAccount, type StoredAccount } from '../../store/payout-account-repository.ts';
import { type BookingFacts, readEarnedBookings } from '../read-earned-bookings.ts';

export const showPayouts = (deps: Deps) =>
  handle(routes.payouts, async ({ params: { userId }, query, allow }) => {
    const answer = allow([userId], forbidden);
    const { limit = maxPageSize, when } = query;
    const before = readCursor(query.cursor) ?? null;
    const { account, months, ...read } = await readAll(deps, userId, {
      before,
      limit: limit + 1,
      when,
    });
    const { items, nextCursor } = splitPage(read.page.map(withId), limit);
    const ids = [...items, ...(read.all?.waiting ?? [])].map(({ bookingId }) => bookingId);
    const { bookingOf } = await readEarnedBookings(deps, { bookings: ids });
    const show = shownWith(bookingOf, account);
    const summary =
      read.all && summaryOf(read.all, { shown: read.all.waiting.map(show), account, months });
    return answer({
      bookings: items.map((item) => bookingView(show(item))),
      nextCursor,
      ...(summary && { summary }),
    });
  });

const withId = (row: BookingEarnings) => ({ ...row, id: row.bookingId });

/** One snapshot, so that the sums equal their parts. `all` and `months` only for the first page. */
const readAll = ({ pool }: Deps, ownerId: string, range: EarningsRange) =>
  inTransaction(pool, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const account = await findAccount(tx, ownerId);
    const withAll = range.before === null;
    const earnings = await readEarnings(tx, ownerId, { ...range, withAll });
    return { account, ...earnings, months: withAll ? await listMonths(tx, ownerId) : [] };
  });

interface Shown {
  row: BookingEarnings;
  facts: BookingFacts;
  money: EarnedMoney;
  wait: Wait | null;
}

const shownWith = (
  bookingOf: (id: string) => BookingFacts,
  account: StoredAccount | undefined,
): ((row: BookingEarnings) => Shown) => {
  const now = new Date();
  const { state = 'not-started', isHeld = false } = account ?? {};
  return (row) => {
    const facts = bookingOf(row.bookingId);
    const { isDisputed, isReturned, retryAt } = row;
    const money = earnedMoneyOf(row, facts.terms);
    const conditions = { booking: facts, account: { state, isHeld }, now };
    return {
      row,
      facts,
      money,
      wait: waitOf(money, { ...conditions, isDisputed, isReturned, retryAt }),
    };
  };
};

const bookingView = ({ row, facts, money, wait }: Shown): Payouts['bookings'][number] => {
  const { bookingCode, toolName, renterName, startDate, endDate } = facts;
  return {
    bookingId: row.bookingId,
    bookingCode,
    toolName,
    renterName,
    startDate,
    endDate,
    ...money,
    waitsFor: wait?.waitsFor ?? null,
    expectedAt: wait?.expectedAt?.toISOString() ?? null,
    transferredAt: row.transferredAt?.toISOString() ?? null,
  };
};

const summaryOf = (
  { sums }: AllEarnings,
  {
    shown,
    account,
    months,
  }: {
    shown: Shown[];
    account: StoredAccount | undefined;
    months: (MonthSums & { month: string })[];
  },
): NonNullable<Payouts['summary']> => {
  const waiting = shown.flatMap(({ money, wait }) =>
    wait ? [{ ...wait, cents: money.onTheWayCents + money.availableCents }] : [],
  );
  const isPayable = account?.state === 'ready' && !account.isHeld;
  const next = isPayable ? nextTransferOf(waiting) : null;
  return {
    ...totalOf(sums, shown),
    waiting: [...Map.groupBy(waiting, ({ waitsFor }) => waitsFor)].map(([waitsFor, those]) => ({
      waitsFor,
      cents: those.reduce((sum, { cents }) => sum + cents, 0),
      bookings: those.length,
    })),
    next: next && { at: next.at.toISOString(), cents: next.cents },
    months,
  };
};

/** The sums of all bookings. What is pending has other terms in each booking, so it is summed here. */
const totalOf = (sums: EarningBalances, shown: Shown[]): EarnedMoney => {
  const settled = earnedMoneyOf(sums, null);
  const pending = shown.map(({ row, facts }) => {
    const onlyPending = { ...none, pending: row.pending };
    return earnedMoneyOf(onlyPending, facts.terms);
  });
  const sumOf = (name: keyof EarnedMoney) =>
    pending.reduce((sum, money) => sum + money[name], settled[name]);
  const earnedCents = sumOf('earnedCents');
  const commissionCents = sumOf('commissionCents');
  const { paidCents, writtenOffCents } = settled;
  return {
    ...settled,
    refundedCents: paidCents + writtenOffCents - commissionCents - earnedCents,
    commissionCents,
    earnedCents,
    onTheWayCents: sumOf('onTheWayCents'),
    outsideStripeCents: sumOf('outsideStripeCents'),
  };
};

const none = {
  paidCents: 0,
  availableCents: 0,
  commissionCents: 0,
  transferredCents: 0,
  nettedCents: 0,
  operatorCents: 0,
  debtCents: 0,
  writtenOffCents: 0,
};
