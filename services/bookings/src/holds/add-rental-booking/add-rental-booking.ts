import { internalRoutes, routes } from '@lendtools/contracts';
import { type CommissionTerms, earningsOf } from '@lendtools/contracts/commission';
import { addToOutbox } from '@lendtools/event-bus';
import {
  AppError,
  call,
  faultPoint,
  handle,
  type Identity,
  inTransaction,
  once,
  type Transaction,
  unavailable,
} from '@lendtools/service-kit';
import { commissionOf } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { type Allocation, allocate } from '../../domain/booking.ts';
import {
  datesRejected,
  holdExpired,
  paymentRequired,
  toolAlreadyBooked,
  toolOnRequest,
} from '../../domain/errors.ts';
import { priceLine, type RequestedLine, type Tool } from '../../domain/price.ts';
import { recordPayment } from '../../settle/settle-hold.ts';
import { insertAllocations } from '../../store/allocation-repository.ts';
import { bookingCreated } from '../../store/booking-events.ts';
import { insertBooking, isShownSql } from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import { unsettleOwners } from '../../store/disabled-people-repository.ts';
import { lockHoldsOf } from '../../store/hold-repository.ts';
import {
  findRecentUnassignedOf,
  findUnknown,
  lockUnassignedOf,
} from '../../store/payment-repository.ts';
import {
  awaitTools,
  findToolsFor,
  lockTools,
  readCalendar,
  spanOf,
  takeUnits,
  wantedBy,
} from '../../store/tool-repository.ts';
import { checkEmail, requestedLine } from '../hold-cart/hold-cart.ts';

/** `POST …/add-rental-booking`: fetches the renter's payments, as the event of a new payment may not have arrived. */
export const addRentalBooking = (deps: Deps) =>
  handle(routes.addRentalBooking, async ({ user, body, idempotencyKey }) => {
    const line = requestedLine(body);
    await awaitTools(deps.pool, [line.toolId]);
    const request = {
      key: idempotencyKey,
      scope: user.userId,
      route: 'addRentalBooking',
      content: body,
    };
    const buyer = {
      userId: user.userId,
      requireVerifiedEmail: deps.config.REQUIRE_VERIFIED_EMAIL,
      commission: commissionOf(deps.config),
    };
    const attempt = () => once(deps.pool, request, (tx) => findOrBook(tx, line, buyer));
    const made = await attempt().catch(async (error: unknown) => {
      if (!(error instanceof AppError && error.code === 'PAYMENT_REQUIRED')) throw error;
      await recordNewPayments(deps, user);
      return attempt();
    });
    await faultPoint('addRentalBooking.beforeReply');
    return { rental: await readBooking(deps.pool, made.id, user) };
  });

/** Records at most this many payments per request, because each takes a transaction while the client waits. */
const maxRecordedPayments = 20;

/** @throws AppError 503 if the payments service is unavailable; PAYMENT_REQUIRED would let the renter pay twice */
const recordNewPayments = async (
  { payments, pool, logger }: Deps,
  { userId, token }: Identity,
): Promise<void> => {
  const request = { params: { userId }, token, timeoutMs: 5_000 };
  const succeeded = await call(payments, internalRoutes.userPayments, request).catch((error) => {
    logger.warn({ err: error }, 'could not fetch the payments of a renter');
    throw unavailable('We could not look up your payment right now. Please try again in a moment.');
  });
  const unknown = await findUnknown(pool, succeeded.payments);
  // Record the newest payments first; the job `record-missed-payments` records the others.
  for (const payment of unknown.slice(0, maxRecordedPayments))
    await inTransaction(pool, (tx) => recordPayment(tx, payment));
};

interface Buyer {
  userId: string;
  requireVerifiedEmail: boolean;
  commission: CommissionTerms | null;
}

/** @throws AppError PAYMENT_REQUIRED if no recorded payment covers the line */
const findOrBook = async (
  tx: Transaction,
  line: RequestedLine,
  buyer: Buyer,
): Promise<{ id: string }> => {
  const { userId, requireVerifiedEmail } = buyer;
  await lockHoldsOf(tx, userId);
  const known = await findByCode(tx, line, userId);
  if (known?.isShown) return { id: known.id };
  if (known?.isRejected) throw toolAlreadyBooked(known.name, '');
  if (known?.isHeld) throw paymentRequired();
  // The hold's card was authorized too late and is released, so no payment will arrive.
  if (known?.isOverOnRequest) throw holdExpired();
  await checkEmail(tx, userId, requireVerifiedEmail);
  return book(tx, line, buyer);
};

interface Known {
  id: string;
  name: string;
  /** Whether the booking is paid or requested, so that lists show it. */
  isShown: boolean;
  isHeld: boolean;
  /** Whether the booking is a draft whose hold needed the owner's approval and has ended. */
  isOverOnRequest: boolean;
  /** Whether the booking's hold was paid too late, so that the payment is refunded. */
  isRejected: boolean;
}

const findByCode = async (
  tx: Transaction,
  { wishedCode, toolId }: RequestedLine,
  userId: string,
): Promise<Known | undefined> => {
  if (!wishedCode) return undefined;
  const { rows } = await tx.query<Known>(
    `SELECT b.id, b.name, ${isShownSql} AS "isShown", b.status = 'held' AS "isHeld",
       b.status = 'expired' AND EXISTS (SELECT 1 FROM holds h WHERE h.id = b.hold_id AND h.on_request) AS "isOverOnRequest",
       EXISTS (SELECT 1 FROM payments p WHERE p.hold_id = b.hold_id AND p.rejected_cents > 0) AS "isRejected"
     FROM bookings b WHERE b.user_id = $1 AND b.tool_id = $2 AND $3 IN (b.code, b.wished_code)
     ORDER BY b.booked_at DESC NULLS LAST, b.id DESC LIMIT 1`,
    [userId, toolId, wishedCode],
  );
  return rows[0];
};

/** Books a line for a client that made no hold, and pays the line from the renter's unallocated payments. */
const book = async (
  tx: Transaction,
  requested: RequestedLine,
  { userId, commission }: Buyer,
): Promise<{ id: string }> => {
  const tool = (await findToolsFor(tx, userId, [requested.toolId])).get(requested.toolId);
  const line = priceLine(requested, tool, { renterId: userId, now: new Date(), path: '' });
  if (line.tool.terms?.booking === 'request') throw toolOnRequest(line.tool.name);
  const allocations =
    line.totalCents > 0
      ? allocate(await lockUnassignedOf(tx, userId), line.totalCents)
      : await allocateNothing(tx, userId);
  if (!allocations) throw paymentRequired();

  const booking = await insertBooking(tx, line, {
    userId,
    holdId: null,
    status: 'confirmed',
    commission,
  });
  const locked = (await lockTools(tx, [requested.toolId])).get(requested.toolId) as Tool;
  const { calendar } = await readCalendar(tx, locked, booking);
  const problem = calendar.problemOf(wantedBy(booking));
  if (problem) throw datesRejected(booking.name, problem, '');
  const free = calendar.freeUnits(spanOf(booking));
  const units = await takeUnits(tx, booking, { status: 'confirmed', path: '', units: free });
  await insertAllocations(
    tx,
    allocations.map((allocation) => ({ ...allocation, bookingId: booking.id })),
  );
  await unsettleOwners(tx, [booking.ownerId]);
  const paid = allocations.map(({ amountCents }) => amountCents);
  await addToOutbox(
    tx,
    bookingCreated(booking, {
      units,
      paymentIds: allocations.map(({ paymentId }) => paymentId),
      earnings: earningsOf(paid, commission),
    }),
  );
  await faultPoint('addRentalBooking.beforeCommit');
  return { id: booking.id };
};

/** Pays a free line with 0 cents of the renter's latest payment: nobody may block a tool without any payment. */
const allocateNothing = async (
  tx: Transaction,
  userId: string,
): Promise<Allocation[] | undefined> => {
  const payment = await findRecentUnassignedOf(tx, userId);
  return payment && [{ paymentId: payment.id, amountCents: 0 }];
};
