import { normalTime } from '@lendtools/contracts/rental-period';
import type { Transaction } from '@lendtools/service-kit';
import { type BookingRow, bookingsOfHold } from '../booking-repository.ts';
import type { AskedLine, Tool } from '../domain/price.ts';
import { datesRefused, toolBookedByYou, toolTwiceInCart } from '../errors.ts';
import { databaseNow, findLiveOf, type HoldRow, lockLiveHolds } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';
import { readCalendar, spanOf, type TakenUnit, takeUnits, wantedBy } from '../tool-repository.ts';

/** Lines with equal keys rent the same quantity of the same tool at the same time. */
const lineKey = (line: Omit<AskedLine, 'wishedCode'>): string =>
  [
    ...[line.toolId, line.quantity, line.startDate, normalTime(line.startTime)],
    ...[line.endDate, normalTime(line.endTime)],
  ].join('|');

const cartKey = (lines: Omit<AskedLine, 'wishedCode'>[]): string =>
  lines.map(lineKey).sort().join(';');

/**
 * Returns the person's live hold of exactly these lines, at its original price. A hold that is past its expiry and only waits for
 * the result of its payment is given up instead: if that payment succeeds, it is refunded unless its units are still free. The person's
 * purchases must be locked.
 */
export const reuseHold = async (
  tx: Transaction,
  userId: string,
  asked: AskedLine[],
): Promise<(HoldRow & { drafts: BookingRow[] }) | undefined> => {
  for (const hold of await lockLiveHolds(tx, userId)) {
    const drafts = await bookingsOfHold(tx, hold.id);
    if (cartKey(drafts) !== cartKey(asked)) continue;
    if (hold.expiresAt > (await databaseNow(tx))) return { ...hold, drafts };
    await advanceHold(tx, hold, { type: 'GivenUp' });
  }
  return undefined;
};

/**
 * Takes a draft's units of a locked tool, if the tool's terms allow the dates. If too few units are free because older carts of the
 * same person hold them, gives those carts up, so that people never block themselves.
 * @throws AppError the reason why the dates are refused. TOOL_ALREADY_BOOKED also names the person's own booking or another line of
 * this cart, if that is in the way.
 * @returns the numbers of the units
 */
export const takeUnitsGivingUpOwnCarts = async (
  tx: Transaction,
  draft: BookingRow,
  { tool, path }: { tool: Tool; path: string },
): Promise<number[]> => {
  let { calendar, taken } = await readCalendar(tx, tool, draft);
  let problem = calendar.problemOf(wantedBy(draft));
  if (problem?.why === 'held' || problem?.why === 'booked') {
    const own = ownHoldIds(draft, calendar.conflictsOf(spanOf(draft), taken));
    for (const hold of await findLiveOf(tx, own)) await advanceHold(tx, hold, { type: 'GivenUp' });
    ({ calendar, taken } = await readCalendar(tx, tool, draft));
    problem = calendar.problemOf(wantedBy(draft));
    const inTheWay = calendar.conflictsOf(spanOf(draft), taken);
    if (problem?.free === 0) {
      if (ownHoldIds(draft, inTheWay).length > 0) throw toolBookedByYou(draft.name, path);
      // Retrying cannot succeed: the other line belongs to this cart.
      if (inTheWay.some(({ holdId }) => holdId === draft.holdId))
        throw toolTwiceInCart(draft.name, path);
    }
  }
  if (problem) throw datesRefused(draft.name, problem, path);
  return takeUnits(tx, draft, { status: 'held', path, units: calendar.freeUnits(spanOf(draft)) });
};

/** The holds of the person's own units among `taken`, except this cart's. Null for a booking without a hold. */
const ownHoldIds = ({ userId, holdId }: BookingRow, taken: TakenUnit[]): BookingRow['holdId'][] =>
  taken.filter((one) => one.userId === userId && one.holdId !== holdId).map((one) => one.holdId);
