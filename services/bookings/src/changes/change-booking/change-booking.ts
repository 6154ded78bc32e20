import { type Body, type Booking, routes } from '@lendtools/contracts';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { normalTime } from '@lendtools/contracts/rental-period';
import {
  databaseNow,
  faultPoint,
  forbidden,
  handle,
  inTransaction,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { actorOf } from '../../domain/actor.ts';
import { sumLeft } from '../../domain/booking.ts';
import {
  changeableUntil,
  type PricedChange,
  previewOf,
  type WantedRental,
} from '../../domain/change.ts';
import {
  changeAlreadyRequested,
  changePriceChanged,
  datesRejected,
  toolAlreadyBooked,
  toolBookedByYou,
} from '../../domain/errors.ts';
import { holdMs } from '../../domain/hold.ts';
import { addedUnitDaysOf, type HoldLimits, holdLimits } from '../../domain/hold-limits.ts';
import type { Tool } from '../../domain/price.ts';
import { limitHolds } from '../../holds/hold-cart/limit-holds.ts';
import { limitPayments } from '../../holds/limit-payments/limit-payments.ts';
import { requestApproval } from '../../settle/settle-approval.ts';
import {
  applyChange,
  publishAvailability,
  publishAvailabilityOf,
} from '../../settle/settle-change.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { findReturnable, lockAllocations } from '../../store/allocation-repository.ts';
import { countHold } from '../../store/booking-metrics.ts';
import type { BookingRow } from '../../store/booking-repository.ts';
import { lockAsParty } from '../../store/booking-repository.ts';
import { readBooking, readBookingRow } from '../../store/booking-view.ts';
import {
  endOpenChange,
  findRequestedChange,
  findUnpaidChange,
  insertChange,
  takeAddedUnits,
} from '../../store/change-repository.ts';
import { findLiveOf, insertHold, lockHoldsOf, lockLiveHolds } from '../../store/hold-repository.ts';
import { findTools, lockTools } from '../../store/tool-repository.ts';
import { limitChanges } from './limit-changes.ts';
import { type PlannedChange, planChange } from './plan-change.ts';

type ChangeBody = Body<typeof routes.changeBooking>;

const wantedRental = (wanted: Omit<ChangeBody, 'dueCents' | 'refundCents'>): WantedRental => ({
  quantity: wanted.quantity,
  startDate: wanted.start_date,
  startTime: wanted.start_time,
  endDate: wanted.end_date,
  endTime: wanted.end_time,
});

/** `GET …/change-preview/:id`: what a change would cost or refund now, or the error that it would cause. */
export const changePreview = ({ pool, config }: Deps) =>
  handle(routes.changePreview, async ({ user, params, query }) => {
    const { row: booking, now } = await readBookingRow(pool, params.id, user);
    if (actorOf(booking, user) !== 'renter') throw forbidden();
    if (await findRequestedChange(pool, booking.id)) throw changeAlreadyRequested();
    const limits = holdLimits(config.RATE_LIMIT_FACTOR);
    const changesLeft = await limitChanges(pool, booking, limits);
    const tool = (await findTools(pool, [booking.toolId])).get(booking.toolId) as Tool;
    const leftCents = await findReturnable(pool, booking.id);
    const known = { tool, now, leftCents };
    const planned = await planChange(pool, booking, wantedRental(query), known);
    rejectProblem(booking, planned);
    if (planned.change.dueCents > 0) await limitPayments(pool, user.userId, limits);
    return { preview: { ...previewOf(booking, planned.change, planned.answerBy), changesLeft } };
  });

/**
 * `POST …/change-booking/:id`: if the change costs more, only reserves units until the difference is paid. No other
 * renter can take the dates meanwhile, and a failing card leaves the booking unchanged.
 */
export const changeBooking = ({ pool, config }: Deps) =>
  handle(routes.changeBooking, async ({ user, params, body }) => {
    const input: ChangeInput = {
      wanted: wantedRental(body),
      shown: body,
      limits: holdLimits(config.RATE_LIMIT_FACTOR),
    };
    const hold = await inTransaction(pool, async (tx) => {
      await lockHoldsOf(tx, user.userId);
      // Lock holds before bookings (README, Lock order). The change ends the renter's unpaid carts whose units it takes.
      await lockLiveHolds(tx, user.userId);
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (by !== 'renter') throw forbidden();
      return changeNow(tx, booking, input);
    });
    await faultPoint('change.beforeReply');
    const rental = await readBooking(pool, params.id, user);
    return {
      message: messageOf(hold, rental),
      rental,
      hold: hold && {
        id: hold.id,
        amountCents: hold.amountCents,
        currency: 'usd' as const,
        expiresAt: hold.expiresAt.toISOString(),
        onRequest: hold.onRequest,
      },
    };
  });

const messageOf = (hold: HeldChange | null, rental: Booking): string => {
  if (hold?.onRequest)
    return 'Please authorize the difference. The owner is asked then, and until they accept, your booking stays as it is.';
  if (hold) return 'Please pay the difference. Until then your booking stays as it is.';
  return requestedChangeOf(rental)
    ? 'The owner is asked. Until they accept, your booking stays as it is.'
    : 'Your booking is changed.';
};

interface ChangeInput {
  wanted: WantedRental;
  shown: Pick<ChangeBody, 'dueCents' | 'refundCents'>;
  limits: HoldLimits;
}

const rejectProblem = ({ name }: BookingRow, { problem, isOwn }: PlannedChange): void => {
  if (problem && isOwn) throw toolBookedByYou(name, '');
  if (problem) throw datesRejected(name, problem, '');
};

interface HeldChange {
  id: string;
  amountCents: number;
  expiresAt: Date;
  onRequest: boolean;
}

const isSame = (one: WantedRental, other: WantedRental): boolean =>
  one.quantity === other.quantity &&
  one.startDate === other.startDate &&
  normalTime(one.startTime) === normalTime(other.startTime) &&
  one.endDate === other.endDate &&
  normalTime(one.endTime) === normalTime(other.endTime);

/** Whether the change costs and refunds what the client confirmed; true if the client sent no amounts. */
const isAsShown = (
  { dueCents, refundCents }: Pick<PricedChange, 'dueCents' | 'refundCents'>,
  shown: ChangeInput['shown'],
): boolean =>
  (shown.dueCents ?? dueCents) === dueCents && (shown.refundCents ?? refundCents) === refundCents;

/** Applies, requests or holds a change. Idempotent, because clients retry. @returns the hold to pay, or null */
const changeNow = async (
  tx: Transaction,
  booking: BookingRow,
  input: ChangeInput,
): Promise<HeldChange | null> => {
  const { wanted, shown } = input;
  const now = await databaseNow(tx);
  const request = await findRequestedChange(tx, booking.id);
  if (request && !isSame(request, wanted)) throw changeAlreadyRequested();
  if (request && !isAsShown(request, shown))
    throw changePriceChanged(previewOf(booking, request, request.answerBy));
  if (request) return null;
  if (booking.changeCount > 0 && booking.status === 'confirmed' && isSame(booking, wanted)) {
    await endOpenChange(tx, booking.id);
    await publishAvailabilityOf(tx, booking);
    return null;
  }
  const unpaid = await findUnpaidChange(tx, booking.id);
  if (unpaid && unpaid.expiresAt > now && isSame(unpaid, wanted)) {
    const { holdId: id, dueCents: amountCents, expiresAt, onRequest } = unpaid;
    if (isAsShown(unpaid, shown)) return { id, amountCents, expiresAt, onRequest };
  }
  await limitChanges(tx, booking, input.limits);
  const leftCents = sumLeft(await lockAllocations(tx, booking.id, { withHeld: true }));
  await endOpenChange(tx, booking.id);

  const tool = (await lockTools(tx, [booking.toolId])).get(booking.toolId) as Tool;
  const planned = await planChange(tx, booking, wanted, { tool, now, leftCents });
  const { change, units, ownHolds, answerBy } = planned;
  rejectProblem(booking, planned);
  if (units.length < change.quantity) throw toolAlreadyBooked(booking.name, '');
  if (!isAsShown(change, shown)) throw changePriceChanged(previewOf(booking, change, answerBy));
  for (const hold of await findLiveOf(tx, ownHolds))
    await advanceHold(tx, hold, { type: 'GivenUp' });

  if (change.dueCents > 0) return holdChange(tx, booking, planned, { tool, input, now });
  if (answerBy) await requestChange(tx, booking, planned, { tool, input });
  else {
    const made = await insertChange(tx, booking, { ...change, units, holdId: null });
    await applyChange(tx, booking, made);
  }
  await faultPoint('change.beforeCommit');
  return null;
};

/** Reserves the added units until the owner answers. The limits apply only to a change that adds units or time. */
const requestChange = async (
  tx: Transaction,
  booking: BookingRow,
  { change, units, kept }: PlannedChange,
  { tool, input: { limits } }: { tool: Tool; input: ChangeInput },
): Promise<void> => {
  const { userId } = booking;
  const unitDays = addedUnitDaysOf(change, { booking, kept });
  if (unitDays > 0) await limitHolds(tx, { userId, unitDays, lines: [{ tool }], limits });
  const requested = await insertChange(tx, booking, { ...change, units, holdId: null });
  await takeAddedUnits(tx, booking, requested);
  await requestApproval(tx, { booking, change: requested });
  await publishAvailability(tx, tool);
};

/** Reserves the added units until the difference is paid, at most until the change's deadline. */
const holdChange = async (
  tx: Transaction,
  booking: BookingRow,
  { change, units, kept, answerBy }: PlannedChange,
  { tool, input, now }: { tool: Tool; input: ChangeInput; now: Date },
): Promise<HeldChange> => {
  const { userId } = booking;
  const { limits } = input;
  await limitPayments(tx, userId, limits);
  const unitDays = Math.max(1, addedUnitDaysOf(change, { booking, kept }));
  await limitHolds(tx, { userId, unitDays, lines: [{ tool }], limits });
  const amountCents = change.dueCents;
  const onRequest = answerBy !== null;
  const leftMs = changeableUntil(booking, change).getTime() - now.getTime();
  const { id, expiresAt } = await insertHold(tx, {
    userId,
    amountCents,
    unitDays,
    onRequest,
    ttlMs: Math.min(holdMs, leftMs),
    changesBookingId: booking.id,
  });
  countHold(tx, 'live');
  const held = await insertChange(tx, booking, { ...change, units, holdId: id });
  await takeAddedUnits(tx, booking, held);
  await publishAvailability(tx, tool);
  await faultPoint('change.beforeCommit');
  return { id, amountCents, expiresAt, onRequest };
};
