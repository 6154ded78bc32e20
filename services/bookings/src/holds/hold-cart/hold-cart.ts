import { bookingCode, type Hold, type HoldLine, routes, toDollars } from '@lendtools/contracts';
import type { CommissionTerms } from '@lendtools/contracts/commission';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  emailNotVerified,
  faultPoint,
  handle,
  once,
  type Transaction,
} from '@lendtools/service-kit';
import { commissionOf } from '../../config.ts';
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
import { awaitTools, findToolsFor, lockTools } from '../../store/tool-repository.ts';
import { limitPayments } from '../limit-payments/limit-payments.ts';
import { limitHolds } from './limit-holds.ts';
import { reuseCart, takeUnitsGivingUpOwnCarts } from './own-holds.ts';

/**
 * `POST …/holds`: prices and holds all lines of a cart or none. A repeated request returns the existing holds. With
 * `splitRequests`, each tool on request has its own hold, because each owner decides about its own authorization.
 */
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
    const commission = commissionOf(config);
    const { splitRequests = false } = body;
    // Replicas of 1.0 store one hold as the reply, so the other holds are added to it.
    const { others = [], ...hold }: Hold & { others?: Hold[] } = await once(
      pool,
      { key: idempotencyKey, scope: userId, route: 'holdCart', content: body },
      async (tx) => {
        const options = { userId, limits, requireVerifiedEmail, splitRequests, commission };
        const [first, ...rest] = await holdLines(tx, lines, options);
        return { ...first, ...(rest.length > 0 && { others: rest }) };
      },
    );
    await faultPoint('hold.beforeReply');
    return { hold, ...(splitRequests && { holds: [hold, ...others] }) };
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
  splitRequests: boolean;
  commission: CommissionTerms | null;
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

const holdLines = async (
  tx: Transaction,
  requested: RequestedLine[],
  { userId, limits, requireVerifiedEmail, splitRequests, commission }: HoldOptions,
): Promise<[Hold, ...Hold[]]> => {
  await lockHoldsOf(tx, userId);
  const own = await reuseCart(tx, userId, { requested, splitRequests });
  if (own) return own.map((part) => holdReply(part, part.drafts)) as [Hold, ...Hold[]];
  await checkEmail(tx, userId, requireVerifiedEmail);
  await limitPayments(tx, userId, limits);
  const lines = await priceLines(tx, requested, userId);
  if (!splitRequests) rejectMixed(lines);
  const parts = splitCart(lines);
  for (const part of parts) checkAmount(part, parts.length === 1 ? 'lines' : part.lines[0]?.path);
  const unitDays = lines.reduce((sum, line) => sum + unitDaysOf(line), 0);
  await limitHolds(tx, { userId, unitDays, lines, limits });

  const held: HeldPart[] = [];
  for (const part of parts)
    held.push(await insertPart(tx, part, { userId, commission, cartId: held[0]?.id ?? null }));
  // Lock the tools as late as possible: other carts with these tools wait from here to the commit.
  const tools = await lockTools(
    tx,
    lines.map(({ tool }) => tool.id),
  );
  const cart = held.map(({ id }) => id);
  for (const part of held) await takeUnitsOfPart(tx, part, { userId, tools, cart });
  await faultPoint('hold.beforeCommit');
  return held.map((part) => holdReply(part, part.drafts)) as [Hold, ...Hold[]];
};

/** The lines that one payment pays for. */
interface CartPart {
  onRequest: boolean;
  amountCents: number;
  lines: PricedLine[];
}

interface HeldPart extends CartPart {
  id: string;
  expiresAt: Date;
  drafts: BookingRow[];
}

const needsApproval = ({ tool }: PricedLine): boolean => tool.terms?.booking === 'request';

/** Splits a cart into its payments: one for the tools that are booked at once, and one for each tool on request. */
const splitCart = (lines: PricedLine[]): CartPart[] => {
  const instant = lines.filter((line) => !needsApproval(line));
  const requests = lines.filter(needsApproval).map((line) => [line]);
  return [...(instant.length > 0 ? [instant] : []), ...requests].map((part) => ({
    onRequest: part.some(needsApproval),
    amountCents: part.reduce((sum, line) => sum + line.totalCents, 0),
    lines: part,
  }));
};

/** For clients that expect one hold: a card can't wait for several owners. @throws TOOL_ON_REQUEST */
const rejectMixed = (lines: PricedLine[]): void => {
  const found = lines.find(needsApproval);
  if (found && lines.length > 1) throw toolNotAlone(found.tool.name, found.path);
};

/** @throws AppError AMOUNT_INVALID if Stripe can't charge the amount */
const checkAmount = ({ amountCents }: CartPart, path: string | undefined): void => {
  if (amountCents < smallestAmountCents) throw amountTooSmall(path);
  if (amountCents > largestAmountCents) throw amountTooLarge(path);
};

const insertPart = async (
  tx: Transaction,
  part: CartPart,
  {
    userId,
    cartId,
    commission,
  }: Pick<HoldOptions, 'userId' | 'commission'> & { cartId: string | null },
): Promise<HeldPart> => {
  const { amountCents, onRequest, lines } = part;
  const unitDays = lines.reduce((sum, line) => sum + unitDaysOf(line), 0);
  const ttlMs = holdMs;
  const made = await insertHold(tx, { userId, amountCents, unitDays, onRequest, cartId, ttlMs });
  countHold(tx, 'live');
  const drafts: BookingRow[] = [];
  for (const line of lines)
    drafts.push(
      await insertBooking(tx, line, { userId, holdId: made.id, status: 'held', commission }),
    );
  return { ...part, ...made, drafts };
};

const takeUnitsOfPart = async (
  tx: Transaction,
  { id: holdId, amountCents, expiresAt, lines, drafts }: HeldPart,
  { userId, tools, cart }: { userId: string; tools: Map<string, Tool>; cart: string[] },
): Promise<void> => {
  const held: ReturnType<typeof heldLine>[] = [];
  for (const [i, { path, tool }] of lines.entries()) {
    const draft = drafts[i] as BookingRow;
    const locked = { tool: tools.get(tool.id) as Tool, path, cart };
    held.push(heldLine(draft, await takeUnitsGivingUpOwnCarts(tx, draft, locked)));
  }
  const data = { holdId, userId, amountCents, expiresAt: expiresAt.toISOString(), lines: held };
  await addToOutbox(tx, newEvent('BookingHeld', { id: holdId, version: 1 }, data));
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
  const tools = await findToolsFor(
    tx,
    renterId,
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
