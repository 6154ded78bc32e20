import { type Body, type Booking, routes } from '@lendtools/contracts';
import { findPendingChange } from '@lendtools/contracts/pending-change';
import { normalTime } from '@lendtools/contracts/rental-period';
import {
  faultPoint,
  forbidden,
  handle,
  inTransaction,
  type Transaction,
} from '@lendtools/service-kit';
import { findReturnable, lockAllocations } from '../allocation-repository.ts';
import { countHold } from '../booking-metrics.ts';
import type { BookingRow } from '../booking-repository.ts';
import { readBooking, readBookingRow } from '../booking-view.ts';
import {
  endOpenChange,
  findOpenChange,
  insertChange,
  takeAddedUnits,
} from '../change-repository.ts';
import { findOpenRequest } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import { actorOfRequest, sumLeft } from '../domain/booking.ts';
import {
  type AskedChange,
  changeableUntil,
  type PricedChange,
  previewOf,
} from '../domain/change.ts';
import { addedUnitDaysOf, type HoldLimits, holdLimits } from '../domain/hold-limits.ts';
import type { Tool } from '../domain/price.ts';
import {
  changeAsked,
  changePricedAnew,
  datesRefused,
  toolAlreadyBooked,
  toolBookedByYou,
} from '../errors.ts';
import { limitHolds } from '../hold-cart/limit-holds.ts';
import { limitPayments } from '../limit-payments/limit-payments.ts';
import { lockAsParty } from '../lock-as-party.ts';
import {
  databaseNow,
  findLiveOf,
  insertHold,
  lockLiveHolds,
  lockPurchasesOf,
} from '../purchase-repository.ts';
import {
  applyChange,
  publishAvailability,
  publishAvailabilityOf,
  requestAcceptance,
} from '../settle-change.ts';
import { advanceHold } from '../settle-purchase.ts';
import { findTools, lockTools } from '../tool-repository.ts';
import { limitChanges } from './limit-changes.ts';
import { type PlannedChange, planChange } from './plan-change.ts';

type ChangeBody = Body<typeof routes.changeBooking>;

const askedChange = (asked: Omit<ChangeBody, 'dueCents' | 'refundCents'>): AskedChange => ({
  quantity: asked.quantity,
  startDate: asked.start_date,
  startTime: asked.start_time,
  endDate: asked.end_date,
  endTime: asked.end_time,
});

/** `GET …/change-preview/:id`: what a change would cost or refund now, or the error that it would get. */
export const changePreview = ({ pool, config }: Deps) =>
  handle(routes.changePreview, async ({ user, params, query }) => {
    const { row: booking, now } = await readBookingRow(pool, params.id, user);
    if (actorOfRequest(booking, user) !== 'renter') throw forbidden();
    if (await findOpenRequest(pool, booking.id)) throw changeAsked();
    const limits = holdLimits(config.RATE_LIMIT_FACTOR);
    const changesLeft = await limitChanges(pool, booking, limits);
    const tool = (await findTools(pool, [booking.toolId])).get(booking.toolId) as Tool;
    const leftCents = await findReturnable(pool, booking.id);
    const known = { tool, now, leftCents };
    const planned = await planChange(pool, booking, askedChange(query), known);
    refuseProblem(booking, planned);
    if (planned.change.dueCents > 0)
      await limitPayments(pool, user.userId, {
        limits,
        graceMinutes: config.PAYMENT_GRACE_MINUTES,
      });
    return { preview: { ...previewOf(booking, planned.change, planned.answerBy), changesLeft } };
  });

/**
 * `POST …/change-booking/:id`: changes the dates or the quantity. A change that costs no more applies immediately. One
 * that costs more holds its units beside those of the booking, which stays as it is until the difference is paid: so the
 * dates cannot be taken meanwhile, and a failing card loses nothing. For a tool on request, the owner also has to accept.
 */
export const changeBooking = ({ pool, config }: Deps) =>
  handle(routes.changeBooking, async ({ user, params, body }) => {
    const order: Order = {
      asked: askedChange(body),
      shown: body,
      ttlMs: config.HOLD_TTL_MINUTES * 60_000,
      limits: holdLimits(config.RATE_LIMIT_FACTOR),
      graceMinutes: config.PAYMENT_GRACE_MINUTES,
    };
    const hold = await inTransaction(pool, async (tx) => {
      await lockPurchasesOf(tx, user.userId);
      // Lock order: holds before the booking. A cart of the renter may have to give way to the change.
      await lockLiveHolds(tx, user.userId);
      const { booking, by } = await lockAsParty(tx, params.id, user, actorOfRequest);
      if (by !== 'renter') throw forbidden();
      return changeNow(tx, booking, order);
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
  return findPendingChange(rental)
    ? 'The owner is asked. Until they accept, your booking stays as it is.'
    : 'Your booking is changed.';
};

interface Order {
  asked: AskedChange;
  shown: Pick<ChangeBody, 'dueCents' | 'refundCents'>;
  ttlMs: number;
  limits: HoldLimits;
  graceMinutes: number;
}

const refuseProblem = ({ name }: BookingRow, { problem, isOwn }: PlannedChange): void => {
  if (problem && isOwn) throw toolBookedByYou(name, '');
  if (problem) throw datesRefused(name, problem, '');
};

interface HeldChange {
  id: string;
  amountCents: number;
  expiresAt: Date;
  onRequest: boolean;
}

const isSame = (one: AskedChange, other: AskedChange): boolean =>
  one.quantity === other.quantity &&
  one.startDate === other.startDate &&
  normalTime(one.startTime) === normalTime(other.startTime) &&
  one.endDate === other.endDate &&
  normalTime(one.endTime) === normalTime(other.endTime);

/** Whether the change costs and refunds the amounts that the client sent, if it sent any. */
const isAsShown = (
  { dueCents, refundCents }: Pick<PricedChange, 'dueCents' | 'refundCents'>,
  shown: Order['shown'],
): boolean =>
  (shown.dueCents ?? dueCents) === dueCents && (shown.refundCents ?? refundCents) === refundCents;

/**
 * Makes, holds or requests the change. Idempotent, since the client may repeat a request whose reply got lost.
 * @returns the hold to pay; null if the change is made, or if the owner has to accept it without a payment
 */
const changeNow = async (
  tx: Transaction,
  booking: BookingRow,
  order: Order,
): Promise<HeldChange | null> => {
  const { asked, shown } = order;
  const now = await databaseNow(tx);
  const request = await findOpenRequest(tx, booking.id);
  if (request && !isSame(request, asked)) throw changeAsked();
  if (request && !isAsShown(request, shown))
    throw changePricedAnew(previewOf(booking, request, request.answerBy));
  if (request) return null;
  if (booking.changeCount > 0 && booking.status === 'confirmed' && isSame(booking, asked)) {
    await endOpenChange(tx, booking.id);
    await publishAvailabilityOf(tx, booking);
    return null;
  }
  const open = await findOpenChange(tx, booking.id);
  if (open && open.expiresAt > now && isSame(open, asked)) {
    const { holdId: id, dueCents: amountCents, expiresAt, onRequest } = open;
    if (isAsShown(open, shown)) return { id, amountCents, expiresAt, onRequest };
  }
  await limitChanges(tx, booking, order.limits);
  const leftCents = sumLeft(await lockAllocations(tx, booking.id, { withHeld: true }));
  await endOpenChange(tx, booking.id);

  const tool = (await lockTools(tx, [booking.toolId])).get(booking.toolId) as Tool;
  const planned = await planChange(tx, booking, asked, { tool, now, leftCents });
  const { change, units, ownHolds, answerBy } = planned;
  refuseProblem(booking, planned);
  if (units.length < change.quantity) throw toolAlreadyBooked(booking.name, '');
  if (!isAsShown(change, shown)) throw changePricedAnew(previewOf(booking, change, answerBy));
  for (const hold of await findLiveOf(tx, ownHolds))
    await advanceHold(tx, hold, { type: 'GivenUp' });

  if (change.dueCents > 0) return holdChange(tx, booking, planned, { tool, order, now });
  if (answerBy) await requestChange(tx, booking, planned, { tool, order });
  else {
    const made = await insertChange(tx, booking, { ...change, units, holdId: null });
    await applyChange(tx, booking, made);
  }
  await faultPoint('change.beforeCommit');
  return null;
};

/** Takes the units that the change adds until the owner answers. A change that adds nothing needs no limit. */
const requestChange = async (
  tx: Transaction,
  booking: BookingRow,
  { change, units, kept }: PlannedChange,
  { tool, order: { limits } }: { tool: Tool; order: Order },
): Promise<void> => {
  const { userId } = booking;
  const unitDays = addedUnitDaysOf(change, { booking, kept });
  if (unitDays > 0) await limitHolds(tx, { userId, unitDays, lines: [{ tool }], limits });
  const asked = await insertChange(tx, booking, { ...change, units, holdId: null });
  await takeAddedUnits(tx, booking, asked);
  await requestAcceptance(tx, { booking, change: asked });
  await publishAvailability(tx, tool);
};

/** Takes the units that the change adds until its difference is paid, at most until the deadline of the change. */
const holdChange = async (
  tx: Transaction,
  booking: BookingRow,
  { change, units, kept, answerBy }: PlannedChange,
  { tool, order, now }: { tool: Tool; order: Order; now: Date },
): Promise<HeldChange> => {
  const { userId } = booking;
  const { ttlMs, limits } = order;
  await limitPayments(tx, userId, order);
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
    ttlMs: Math.min(ttlMs, leftMs),
    changesBookingId: booking.id,
  });
  countHold(tx, 'live');
  const held = await insertChange(tx, booking, { ...change, units, holdId: id });
  await takeAddedUnits(tx, booking, held);
  await publishAvailability(tx, tool);
  await faultPoint('change.beforeCommit');
  return { id, amountCents, expiresAt, onRequest };
};
