import { bookingCode, type Hold, type HoldLine, routes, toDollars } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  emailNotVerified,
  faultPoint,
  handle,
  once,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { amountTooLarge, amountTooSmall, toolNotAlone } from '../../domain/errors.ts';
import { holdMs } from '../../domain/hold.ts';
import { type HoldLimits, holdLimits, unitDaysOf } from '../../domain/hold-limits.ts';
import {
  largestAmountCents,
  type PricedLine,
  priceLine,
  type RequestedLine,
  smallestAmountCents,
  type Tool,
} from '../../domain/price.ts';
import { heldLine } from '../../store/booking-events.ts';
import { countHold } from '../../store/booking-metrics.ts';
import { type BookingRow, insertBooking } from '../../store/booking-repository.ts';
import { type HoldRow, insertHold, lockHoldsOf } from '../../store/hold-repository.ts';
import { awaitTools, findTools, lockTools } from '../../store/tool-repository.ts';
import { limitPayments } from '../limit-payments/limit-payments.ts';
import { limitHolds } from './limit-holds.ts';
import { reuseHold, takeUnitsGivingUpOwnCarts } from './own-holds.ts';

/** `POST …/holds`: prices and holds all lines of a cart or none. A repeated request returns the existing hold. */
export const holdCart = ({ pool, config }: Deps) =>
  handle(routes.holdCart, async ({ user, body, idempotencyKey }) => {
    const { userId } = user;
    const lines = body.lines.map(requestedLine);
    await awaitTools(
      pool,
      lines.map((line) => line.toolId),
    );
    const limits = holdLimits(config.RATE_LIMIT_FACTOR);
    const requireVerifiedEmail = config.REQUIRE_VERIFIED_EMAIL;
    const reply = await once(
      pool,
      { key: idempotencyKey, scope: userId, route: 'holdCart', content: body },
      (tx) => hold(tx, lines, { userId, limits, requireVerifiedEmail }),
    );
    await faultPoint('hold.beforeReply');
    return { hold: reply };
  });

export const requestedLine = (line: HoldLine): RequestedLine => ({
  toolId: line.rental_id,
  quantity: line.quantity,
  wishedCode: bookingCode.safeParse(line.booking_code).data ?? null,
  startDate: line.start_date,
  startTime: line.start_time,
  endDate: line.end_date,
  endTime: line.end_time,
});

interface HoldOptions {
  userId: string;
  limits: HoldLimits;
  requireVerifiedEmail: boolean;
}

/** @throws AppError EMAIL_NOT_VERIFIED if the operator requires verified emails and the renter's email is not */
export const checkEmail = async (
  tx: Transaction,
  userId: string,
  requireVerifiedEmail: boolean,
): Promise<void> => {
  if (!requireVerifiedEmail) return;
  const { rows } = await tx.query<{ verified: boolean }>(
    'SELECT email_verified AS verified FROM people WHERE id = $1',
    [userId],
  );
  if (!rows[0]?.verified) throw emailNotVerified('book');
};

const hold = async (
  tx: Transaction,
  requested: RequestedLine[],
  { userId, limits, requireVerifiedEmail }: HoldOptions,
): Promise<Hold> => {
  await lockHoldsOf(tx, userId);
  const own = await reuseHold(tx, userId, requested);
  if (own) return holdReply(own, own.drafts);
  await checkEmail(tx, userId, requireVerifiedEmail);
  await limitPayments(tx, userId, limits);
  const lines = await priceLines(tx, requested, userId);
  const onRequest = isOnRequest(lines);
  const amountCents = lines.reduce((sum, line) => sum + line.totalCents, 0);
  if (amountCents < smallestAmountCents) throw amountTooSmall();
  if (amountCents > largestAmountCents) throw amountTooLarge();
  const unitDays = lines.reduce((sum, line) => sum + unitDaysOf(line), 0);
  await limitHolds(tx, { userId, unitDays, lines, limits });

  const { id, expiresAt } = await insertHold(tx, {
    userId,
    amountCents,
    unitDays,
    ttlMs: holdMs,
    onRequest,
  });
  countHold(tx, 'live');
  const drafts: BookingRow[] = [];
  for (const line of lines)
    drafts.push(await insertBooking(tx, line, { userId, holdId: id, status: 'held' }));
  // Lock the tools as late as possible: other carts with these tools wait from here to the commit.
  const tools = await lockTools(
    tx,
    lines.map(({ tool }) => tool.id),
  );
  const held: ReturnType<typeof heldLine>[] = [];
  for (const [i, { path, tool }] of lines.entries()) {
    const draft = drafts[i] as BookingRow;
    const locked = tools.get(tool.id) as Tool;
    held.push(heldLine(draft, await takeUnitsGivingUpOwnCarts(tx, draft, { tool: locked, path })));
  }
  const data = { holdId: id, userId, amountCents, expiresAt: expiresAt.toISOString(), lines: held };
  await addToOutbox(tx, newEvent('BookingHeld', { id, version: 1 }, data));
  await faultPoint('hold.beforeCommit');
  return holdReply({ id, amountCents, expiresAt, onRequest }, drafts);
};

/** A tool that needs approval must be the only line: a card can't wait for several owners. @throws TOOL_ON_REQUEST */
const isOnRequest = (lines: PricedLine[]): boolean => {
  const found = lines.find(({ tool }) => tool.terms?.booking === 'request');
  if (found && lines.length > 1) throw toolNotAlone(found.tool.name, found.path);
  return found !== undefined;
};

const holdReply = (
  {
    id,
    amountCents,
    expiresAt,
    onRequest,
  }: Pick<HoldRow, 'id' | 'amountCents' | 'expiresAt' | 'onRequest'>,
  drafts: BookingRow[],
): Hold => ({
  id,
  amountCents,
  currency: 'usd',
  expiresAt: expiresAt.toISOString(),
  onRequest,
  lines: drafts.map(lineReply),
});

/** @throws AppError naming the first line that can't be rented */
const priceLines = async (
  tx: Transaction,
  lines: RequestedLine[],
  renterId: string,
): Promise<PricedLine[]> => {
  const tools = await findTools(
    tx,
    lines.map((line) => line.toolId),
  );
  const now = new Date();
  return lines.map((line, index) =>
    priceLine(line, tools.get(line.toolId), { renterId, now, path: `lines[${index}]` }),
  );
};

const lineReply = (draft: BookingRow): Hold['lines'][number] => ({
  id: draft.id,
  rental_id: draft.toolId,
  name: draft.name,
  booking_code: draft.code,
  price: toDollars(draft.priceCents),
  rental_circle: draft.circle,
  period: draft.period,
  quantity: draft.quantity,
  discount: toDollars(draft.discountCents),
  cancellationPolicy: draft.cancellationPolicy,
  paymentDue: toDollars(draft.totalCents),
  start_date: draft.startDate,
  start_time: draft.startTime,
  end_date: draft.endDate,
  end_time: draft.endTime,
});
