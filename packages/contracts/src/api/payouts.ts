import { z } from 'zod';
import { payoutStatus } from '../events/payments.ts';
import { bounded, fields, id, longText, nextCursor, numeric, page } from './common.ts';

const cents = z.number().int();
const instant = z.iso.datetime();

/**
 * What an owner's money waits for. `rental`: the end of the rental. `problem`: an admin's decision about a reported problem.
 * `release`: the time from which the owner may be paid. `dispute`: the bank of the renter's card. `account`: the owner's account
 * at Stripe. `hold`: an admin, or the owner's disabled LendTools account. `transfer`: only for us; it is sent soon.
 */
export const payoutWait = z.enum([
  'rental',
  'problem',
  'release',
  'dispute',
  'account',
  'hold',
  'transfer',
]);
export type PayoutWait = z.infer<typeof payoutWait>;

/** `paid − refunded − commission + written off = earned = on the way + available + transferred + netted + outside Stripe − debt`. */
const earnedMoney = {
  paidCents: cents,
  /** Returned to the renter, or lost in a dispute. */
  refundedCents: cents,
  /** Until the release, the commission on what remains now. */
  commissionCents: cents,
  /** Debts that an admin has written off. */
  writtenOffCents: cents,
  earnedCents: cents,
  /** Not released. */
  onTheWayCents: cents,
  /** Released, and not at Stripe's account of the owner yet. */
  availableCents: cents,
  /** Transferred to Stripe's account of the owner, less what was transferred back. */
  transferredCents: cents,
  /** Kept to pay the debt of other bookings; negative if other bookings paid this one's debt. */
  nettedCents: cents,
  /** What bookings without commission terms earned. Stripe does not pay it. */
  outsideStripeCents: cents,
  /** Transferred, and refunded or lost since. */
  debtCents: cents,
};

const bookingOfOwner = {
  bookingId: id,
  bookingCode: z.string(),
  toolName: z.string(),
};

const earnedBooking = z.object({
  ...bookingOfOwner,
  renterName: z.string(),
  /** Local dates of the tool: `2026-05-31`. */
  startDate: z.string(),
  endDate: z.string(),
  ...earnedMoney,
  /** Null if nothing is on the way or available. */
  waitsFor: payoutWait.nullable(),
  /** When it may be transferred, if nothing else stops it then; null if nothing waits, or if unknown. */
  expectedAt: instant.nullable(),
  /** The last transfer; null before the first one. */
  transferredAt: instant.nullable(),
});
export type EarnedBooking = z.infer<typeof earnedBooking>;

/** In UTC, by when the entries were posted. A closed month never changes. */
const month = bounded(7, 'Please use a month like 2026-11').regex(
  /^2\d{3}-(?:0[1-9]|1[0-2])$/,
  'Please use a month like 2026-11',
);

/** `price − refunded − commission = earned`. */
const monthMoney = {
  /** What renters paid for the shares that were released in the month. */
  priceCents: cents,
  /** Refunded, or lost in a dispute, after the release; negative if more was restored. */
  refundedCents: cents,
  commissionCents: cents,
  earnedCents: cents,
  writtenOffCents: cents,
  /** Less what was transferred back. */
  transferredCents: cents,
};

const payoutMonth = z.object({ month, ...monthMoney });
export type PayoutMonth = z.infer<typeof payoutMonth>;

export const payoutsQuery = fields({
  ...page,
  /** `waiting`: something is on the way, available or owed. `over`: nothing is. */
  when: z.enum(['waiting', 'over'], 'Please ask for waiting or over').optional(),
});
export const payoutsReply = z.object({
  /** Newest booking first. */
  bookings: z.array(earnedBooking),
  nextCursor,
  /** Only on the first page, and of all bookings, whatever `when` is. */
  summary: z
    .object({
      ...earnedMoney,
      /** What is on the way or available, by what it waits for. */
      waiting: z.array(z.object({ waitsFor: payoutWait, cents, bookings: z.number().int() })),
      /** The next expected transfer; null if none is, or if the owner cannot be paid now. */
      next: z.object({ at: instant, cents }).nullable(),
      /** Newest first. Months without an entry are left out. */
      months: z.array(payoutMonth),
    })
    .optional(),
});
export type Payouts = z.infer<typeof payoutsReply>;

export const statementParams = fields({ userId: id, month });

const statementLine = z.object({
  at: instant,
  /**
   * `release`: earned. `refund`, `dispute`: refunded or lost after that, or restored. `transfer`, `reversal`: to Stripe's
   * account of the owner, and back. `netting`: a debt paid from another booking. `write-off`: a debt ended by an admin,
   * or negative if money came back that pays it after all.
   */
  kind: z.enum(['release', 'refund', 'dispute', 'transfer', 'reversal', 'netting', 'write-off']),
  ...bookingOfOwner,
  /** Positive for a release, negative for a refund; 0 for the kinds without commission. */
  priceCents: cents,
  commissionCents: cents,
  /** What it adds to the owner's balance. */
  amountCents: cents,
});
export type StatementLine = z.infer<typeof statementLine>;

const statement = z.object({
  month,
  ownerName: z.string(),
  /** False until an hour after the month's end in UTC. */
  isClosed: z.boolean(),
  /** Released and not transferred, less debts. `opening + earned + written off − transferred = closing`. */
  openingCents: cents,
  closingCents: cents,
  ...monthMoney,
  /** Oldest first. */
  lines: z.array(statementLine),
});
export type Statement = z.infer<typeof statement>;
export const statementReply = z.object({ statement });

export const csv = z.string().meta({ format: 'binary', description: 'A CSV file' });

/** The platform's money at Stripe, by the ledger (ADR 16). */
export const adminPayoutsReply = z.object({
  balances: z.object({
    /** All accounts below: what Stripe's balance should be. */
    stripeCents: cents,
    /** The part that belongs to renters and owners: `unallocated`, `pending`, `available`, `sending` and `due`. */
    othersCents: cents,
    /** What the operator may withdraw. Negative if Stripe's balance is too low for the others. */
    withdrawableCents: cents,
    accounts: z.object({
      unallocated: cents,
      pending: cents,
      available: cents,
      sending: cents,
      due: cents,
      commission: cents,
      operator: cents,
      fees: cents,
      losses: cents,
      disputes: cents,
      debts: cents,
      netting: cents,
    }),
  }),
  /** The newest 24 months in UTC that have entries. */
  months: z.array(
    z.object({ month, commissionCents: cents, feesCents: cents, lossesCents: cents }),
  ),
});
export type AdminPayouts = z.infer<typeof adminPayoutsReply>;

const owner = { ownerId: id, ownerName: z.string() };

/**
 * Why a transfer is not made. `account`, `hold`, `dispute`: as for owners. `unknown`: Stripe's reply was lost; it is looked up
 * at Stripe. `rejected`: Stripe rejected it. `balance`: the platform's balance at Stripe is too low. `returned`: a transfer
 * was reversed in Stripe's dashboard. `forgotten`: it could have been made for a day, and nothing is going to make it.
 */
export const stuckTransferReason = z.enum([
  'account',
  'hold',
  'dispute',
  'unknown',
  'rejected',
  'balance',
  'returned',
  'forgotten',
]);
export type StuckTransferReason = z.infer<typeof stuckTransferReason>;

const stuckTransfer = z.object({
  ...bookingOfOwner,
  ...owner,
  paymentId: id,
  cents,
  reason: stuckTransferReason,
  /** Stripe's message; null if there is none. */
  error: z.string().nullable(),
  since: instant,
  /** Null if only an admin or the owner can go on. */
  nextTryAt: instant.nullable(),
  /** The payment in Stripe's dashboard. */
  stripeUrl: z.string(),
});
export type StuckTransfer = z.infer<typeof stuckTransfer>;
/** The oldest booking first. Owners who never began to set payouts up are reminded, and not listed here. */
export const stuckTransfersReply = z.object({ transfers: z.array(stuckTransfer), nextCursor });

export const debtsReply = z.object({
  owners: z.array(
    z.object({
      ...owner,
      debtCents: cents,
      /** Released or on the way, before the commission: the debt is netted from it first. */
      comingCents: cents,
      /** When the owner first owed anything, even if that was paid since. */
      since: instant,
      isHeld: z.boolean(),
      state: payoutStatus.state,
    }),
  ),
  nextCursor,
});
export type OwnerWithDebt = z.infer<typeof debtsReply>['owners'][number];
export const listQuery = fields(page);

/** A booking's part of a payment, which is one transfer. */
export const shareParams = fields({ paymentId: id, bookingId: id });

export const writeOffBody = fields({
  /** The whole debt, to the cent. If it has changed, nothing is written off. */
  cents: numeric(
    z
      .number('Please enter an amount in cents')
      .int('Please enter whole cents')
      .min(1, 'The amount must be more than $0')
      .max(10_000_000_000, 'The amount can be at most $100,000,000'),
  ),
  reason: longText('a reason', 500),
});
export const writeOffReply = z.object({ id, writtenOffCents: cents });

export const disputeParams = fields({
  id: bounded(255, 'There is no such dispute').regex(/^\w+$/, 'There is no such dispute'),
});
export const waiveInquiryReply = z.object({ waivedAt: instant });

export const ledgerParams = fields({ month });
