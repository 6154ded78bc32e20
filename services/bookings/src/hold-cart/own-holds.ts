import { normalTime } from '@lendtools/contracts/rental-period';
import type { Transaction } from '@lendtools/service-kit';
import { type BookingRow, bookingsOfHold } from '../booking-repository.ts';
import type { AskedLine, Tool } from '../domain/price.ts';
import { datesRefused, toolBookedByYou, toolTwiceInCart } from '../errors.ts';
import { databaseNow, findLiveOf, type HoldRow, lockLiveHolds } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';
import { readCalendar, spanOf, type TakenUnit, takeUnits, wantedBy } from '../tool-repository.ts';

/** Which tool, how many and when: what makes two lines the same. */
const lineKey = (line: Omit<AskedLine, 'wishedCode'>): string =>
  [
    ...[line.toolId, line.quantity, line.startDate, normalTime(line.startTime)],
    ...[line.endDate, normalTime(line.endTime)],
  ].join('|');

const cartKey = (lines: Omit<AskedLine, 'wishedCode'>[]): string =>
  lines.map(lineKey).sort().join(';');

/**
 * The person's own unpaid hold of the very same lines, at the price that it was made at. One whose time is over but
 * which still waits for Stripe's word is given up: a payment that succeeds after all goes back. The person must be locked.
 */
export const takeUpHold = async (
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
 * Takes a draft's units of a tool that is locked, if its terms allow it. Where too few are free because of an older cart of the same
 * person, that cart is given up: people never block themselves.
 * @throws AppError TOOL_ALREADY_BOOKED, saying whether it is the person's own booking, or another line of this cart, or
 * what the terms have against it
 * @returns the units' numbers
 */
export const takeUnitsAlsoOwn = async (
  tx: Transaction,
  draft: BookingRow,
  { tool, path }: { tool: Tool; path: string },
): Promise<number[]> => {
  let { calendar, taken } = await readCalendar(tx, tool, draft);
  let problem = calendar.problemOf(wantedBy(draft));
  if (problem?.why === 'held' || problem?.why === 'booked') {
    const own = ownOf(draft, calendar.conflictsOf(spanOf(draft), taken));
    for (const hold of await findLiveOf(tx, own)) await advanceHold(tx, hold, { type: 'GivenUp' });
    ({ calendar, taken } = await readCalendar(tx, tool, draft));
    problem = calendar.problemOf(wantedBy(draft));
    const inTheWay = calendar.conflictsOf(spanOf(draft), taken);
    if (problem?.free === 0) {
      if (ownOf(draft, inTheWay).length > 0) throw toolBookedByYou(draft.name, path);
      // Asked again it would be refused again: nobody else can end it.
      if (inTheWay.some(({ holdId }) => holdId === draft.holdId))
        throw toolTwiceInCart(draft.name, path);
    }
  }
  if (problem) throw datesRefused(draft.name, problem, path);
  return takeUnits(tx, draft, { status: 'held', path, units: calendar.freeUnits(spanOf(draft)) });
};

/** The holds of what the person has among it already, this cart aside; null where there was none. */
const ownOf = ({ userId, holdId }: BookingRow, taken: TakenUnit[]): BookingRow['holdId'][] =>
  taken.filter((one) => one.userId === userId && one.holdId !== holdId).map((one) => one.holdId);
