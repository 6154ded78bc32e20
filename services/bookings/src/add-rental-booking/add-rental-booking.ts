import { internalRoutes, routes } from '@lendtools/contracts';
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
import { insertAllocations } from '../allocation-repository.ts';
import { bookingCreated } from '../booking-events.ts';
import { insertBooking, isShownSql } from '../booking-repository.ts';
import { readBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import { unsettleOwners } from '../disabled-people-repository.ts';
import { type Allocation, allocate } from '../domain/booking.ts';
import { type AskedLine, priceLine, type Tool } from '../domain/price.ts';
import {
  datesRefused,
  holdExpired,
  paymentRequired,
  toolAlreadyBooked,
  toolOnRequest,
} from '../errors.ts';
import { askedLine, checkEmail } from '../hold-cart/hold-cart.ts';
import { findRecentUnassignedOf, findUnknown, lockUnassignedOf } from '../payment-repository.ts';
import { lockPurchasesOf } from '../purchase-repository.ts';
import { recordPayment } from '../settle-purchase.ts';
import {
  awaitTools,
  findTools,
  lockTools,
  readCalendar,
  spanOf,
  takeUnits,
  wantedBy,
} from '../tool-repository.ts';

/**
 * `POST …/add-rental-booking`: finds or makes the booking of a paid line. Clients call this right after confirming the
 * card, so the payment event may not have arrived: then it fetches the renter's payments from the payments service.
 */
export const addRentalBooking = (deps: Deps) =>
  handle(routes.addRentalBooking, async ({ user, body, idempotencyKey }) => {
    const line = askedLine(body);
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
      graceMinutes: deps.config.PAYMENT_GRACE_MINUTES,
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

/** Each payment takes a transaction while the client waits. */
const maxRecordedPayments = 20;

/**
 * Records the renter's new payments from the payments service.
 * @throws AppError 503 if that service is unavailable: PAYMENT_REQUIRED could make the renter pay twice
 */
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
  // Newest first. `record-missed-payments` records the rest.
  for (const payment of unknown.slice(0, maxRecordedPayments))
    await inTransaction(pool, (tx) => recordPayment(tx, payment));
};

interface Buyer {
  userId: string;
  requireVerifiedEmail: boolean;
  /** How long a payment can be used for a booking. */
  graceMinutes: number;
}

/** @throws AppError PAYMENT_REQUIRED if no recorded payment covers the line */
const findOrBook = async (
  tx: Transaction,
  line: AskedLine,
  buyer: Buyer,
): Promise<{ id: string }> => {
  const { userId, requireVerifiedEmail } = buyer;
  await lockPurchasesOf(tx, userId);
  const known = await findByCode(tx, line, userId);
  if (known?.isShown) return { id: known.id };
  if (known?.isRefused) throw toolAlreadyBooked(known.name, '');
  if (known?.isHeld) throw paymentRequired();
  // The hold's card was authorized too late and is released, so no payment will arrive.
  if (known?.isOverOnRequest) throw holdExpired();
  await checkEmail(tx, userId, requireVerifiedEmail);
  return book(tx, line, buyer);
};

interface Known {
  id: string;
  name: string;
  /** Whether it is paid or requested, so that lists show it. */
  isShown: boolean;
  isHeld: boolean;
  /** Whether it is a draft on request whose hold has ended. */
  isOverOnRequest: boolean;
  /** Whether its hold was paid too late, so that the payment is refunded. */
  isRefused: boolean;
}

const findByCode = async (
  tx: Transaction,
  { wishedCode, toolId }: AskedLine,
  userId: string,
): Promise<Known | undefined> => {
  if (!wishedCode) return undefined;
  const { rows } = await tx.query<Known>(
    `SELECT b.id, b.name, ${isShownSql} AS "isShown", b.status = 'held' AS "isHeld",
       b.status = 'expired' AND EXISTS (SELECT 1 FROM holds h WHERE h.id = b.hold_id AND h.on_request) AS "isOverOnRequest",
       EXISTS (SELECT 1 FROM payments p WHERE p.hold_id = b.hold_id AND p.rejected_cents > 0) AS "isRefused"
     FROM bookings b WHERE b.user_id = $1 AND b.tool_id = $2 AND $3 IN (b.code, b.wished_code)
     ORDER BY b.booked_at DESC NULLS LAST, b.id DESC LIMIT 1`,
    [userId, toolId, wishedCode],
  );
  return rows[0];
};

/** Books a line for a client without holds, and pays it from the renter's unassigned payments. */
const book = async (
  tx: Transaction,
  asked: AskedLine,
  { userId, graceMinutes }: Buyer,
): Promise<{ id: string }> => {
  const tool = (await findTools(tx, [asked.toolId])).get(asked.toolId);
  const line = priceLine(asked, tool, { renterId: userId, now: new Date(), path: '' });
  if (line.tool.terms?.booking === 'request') throw toolOnRequest(line.tool.name);
  const allocations =
    line.totalCents > 0
      ? allocate(await lockUnassignedOf(tx, userId), line.totalCents)
      : await allocateNothing(tx, userId, graceMinutes);
  if (!allocations) throw paymentRequired();

  const booking = await insertBooking(tx, line, { userId, holdId: null, status: 'confirmed' });
  const locked = (await lockTools(tx, [asked.toolId])).get(asked.toolId) as Tool;
  const { calendar } = await readCalendar(tx, locked, booking);
  const problem = calendar.problemOf(wantedBy(booking));
  if (problem) throw datesRefused(booking.name, problem, '');
  const free = calendar.freeUnits(spanOf(booking));
  const units = await takeUnits(tx, booking, { status: 'confirmed', path: '', units: free });
  await insertAllocations(
    tx,
    allocations.map((allocation) => ({ ...allocation, bookingId: booking.id })),
  );
  await unsettleOwners(tx, [booking.ownerId]);
  await addToOutbox(tx, bookingCreated(booking, units));
  await faultPoint('addRentalBooking.beforeCommit');
  return { id: booking.id };
};

/**
 * Allocates 0 cents of the renter's most recent payment to a line that costs nothing, even if that payment is used up.
 * So a tool cannot be blocked without any payment, and a dispute of the payment also affects this booking.
 */
const allocateNothing = async (
  tx: Transaction,
  userId: string,
  graceMinutes: number,
): Promise<Allocation[] | undefined> => {
  const payment = await findRecentUnassignedOf(tx, userId, graceMinutes);
  return payment && [{ paymentId: payment.id, amountCents: 0 }];
};
