import { bookingCode, type Hold, type HoldLine, routes, toDollars } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  emailNotVerified,
  faultPoint,
  handle,
  once,
  type Transaction,
} from '@lendtools/service-kit';
import { heldLine } from '../booking-events.ts';
import { countHold } from '../booking-metrics.ts';
import { type BookingRow, insertBooking } from '../booking-repository.ts';
import type { Deps } from '../deps.ts';
import { type HoldLimits, holdLimits, unitDaysOf } from '../domain/hold-limits.ts';
import {
  type AskedLine,
  largestAmountCents,
  type PricedLine,
  priceLine,
  smallestAmountCents,
  type Tool,
} from '../domain/price.ts';
import { amountTooLarge, amountTooSmall, toolNotAlone } from '../errors.ts';
import { limitPayments } from '../limit-payments/limit-payments.ts';
import { type HoldRow, insertHold, lockPurchasesOf } from '../purchase-repository.ts';
import { awaitTools, findTools, lockTools } from '../tool-repository.ts';
import { limitHolds } from './limit-holds.ts';
import { reuseHold, takeUnitsGivingUpOwnCarts } from './own-holds.ts';

/**
 * `POST …/holds`: prices the cart's lines and holds their dates, all of them or none. A repeated request by the same person,
 * from another device or after a reload, returns the existing hold.
 */
export const holdCart = ({ pool, config }: Deps) =>
  handle(routes.holdCart, async ({ user, body, idempotencyKey }) => {
    const { userId } = user;
    const lines = body.lines.map(askedLine);
    await awaitTools(
      pool,
      lines.map((line) => line.toolId),
    );
    const ttlMs = config.HOLD_TTL_MINUTES * 60_000;
    const limits = holdLimits(config.RATE_LIMIT_FACTOR);
    const graceMinutes = config.PAYMENT_GRACE_MINUTES;
    const requireVerifiedEmail = config.REQUIRE_VERIFIED_EMAIL;
    const reply = await once(
      pool,
      { key: idempotencyKey, scope: userId, route: 'holdCart', content: body },
      (tx) => hold(tx, lines, { userId, ttlMs, limits, graceMinutes, requireVerifiedEmail }),
    );
    await faultPoint('hold.beforeReply');
    return { hold: reply };
  });

export const askedLine = (line: HoldLine): AskedLine => ({
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
  ttlMs: number;
  limits: HoldLimits;
  graceMinutes: number;
  requireVerifiedEmail: boolean;
}

/** @throws AppError EMAIL_NOT_VERIFIED if the operator requires verified emails and this person's is not */
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
  asked: AskedLine[],
  { userId, ttlMs, limits, graceMinutes, requireVerifiedEmail }: HoldOptions,
): Promise<Hold> => {
  await lockPurchasesOf(tx, userId);
  const own = await reuseHold(tx, userId, asked);
  if (own) return holdReply(own, own.drafts);
  await checkEmail(tx, userId, requireVerifiedEmail);
  await limitPayments(tx, userId, { limits, graceMinutes });
  const lines = await priceLines(tx, asked, userId);
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
    ttlMs,
    onRequest,
  });
  countHold(tx, 'live');
  const drafts: BookingRow[] = [];
  for (const line of lines)
    drafts.push(await insertBooking(tx, line, { userId, holdId: id, status: 'held' }));
  // Lock the tools as late as possible: other holds of them wait from here to the commit.
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

/**
 * Whether the owner has to accept before the card is charged. One authorization covers one owner's answer, so a tool on request
 * must be the only line.
 * @throws AppError TOOL_ON_REQUEST if the cart has other lines
 */
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
  amount: amountCents,
  currency: 'usd',
  expiresAt: expiresAt.toISOString(),
  onRequest,
  lines: drafts.map(lineReply),
});

/** Prices every line. @throws AppError naming the first line that can't be rented */
const priceLines = async (
  tx: Transaction,
  lines: AskedLine[],
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
