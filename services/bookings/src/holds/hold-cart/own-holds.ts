import { normalTime } from '@lendtools/contracts/rental-period';
import { databaseNow, type Transaction } from '@lendtools/service-kit';
import { datesRejected, toolBookedByYou, toolTwiceInCart } from '../../domain/errors.ts';
import type { RequestedLine, Tool } from '../../domain/price.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { type BookingRow, bookingsOfHold } from '../../store/booking-repository.ts';
import { findLiveOf, type HoldRow, lockLiveHolds } from '../../store/hold-repository.ts';
import {
  readCalendar,
  spanOf,
  type TakenUnit,
  takeUnits,
  wantedBy,
} from '../../store/tool-repository.ts';

/** Lines with equal keys rent the same quantity of the same tool at the same time. */
const heldLineKey = (line: Omit<RequestedLine, 'wishedCode'>): string =>
  [
    ...[line.toolId, line.quantity, line.startDate, normalTime(line.startTime)],
    ...[line.endDate, normalTime(line.endTime)],
  ].join('|');

const heldCartKey = (lines: Omit<RequestedLine, 'wishedCode'>[]): string =>
  lines.map(heldLineKey).sort().join(';');

interface HeldPart extends HoldRow {
  drafts: BookingRow[];
}

/**
 * Returns the user's open holds of exactly these lines. If their time is up, ends them and returns undefined. Call
 * `lockHoldsOf` first.
 * @param splitRequests whether the holds may be several, of one cart
 */
export const reuseCart = async (
  tx: Transaction,
  userId: string,
  { requested, splitRequests }: { requested: RequestedLine[]; splitRequests: boolean },
): Promise<HeldPart[] | undefined> => {
  const live = await lockLiveHolds(tx, userId);
  for (const holds of Map.groupBy(live, ({ id, cartId }) => cartId ?? id).values()) {
    if (holds.length > 1 && !splitRequests) continue;
    const parts: HeldPart[] = [];
    for (const hold of holds) parts.push({ ...hold, drafts: await bookingsOfHold(tx, hold.id) });
    const drafts = parts.flatMap((part) => part.drafts);
    if (heldCartKey(drafts) !== heldCartKey(requested)) continue;
    const now = await databaseNow(tx);
    if (parts.every(({ expiresAt }) => expiresAt > now)) return parts;
    for (const hold of holds) await advanceHold(tx, hold, { type: 'GivenUp' });
  }
  return undefined;
};

/**
 * Reserves a draft's units. If too few are free, ends older carts of the renter that hold units. Lock the tool first.
 * @param cart the holds of the draft's own cart
 * @returns the unit numbers
 * @throws AppError with the reason why the dates are refused
 */
export const takeUnitsGivingUpOwnCarts = async (
  tx: Transaction,
  draft: BookingRow,
  { tool, path, cart }: { tool: Tool; path: string; cart: string[] },
): Promise<number[]> => {
  let { calendar, taken } = await readCalendar(tx, tool, draft);
  let problem = calendar.problemOf(wantedBy(draft));
  if (problem?.why === 'held' || problem?.why === 'booked') {
    const own = ownHoldIds(draft, cart, calendar.conflictsOf(spanOf(draft), taken));
    for (const hold of await findLiveOf(tx, own)) await advanceHold(tx, hold, { type: 'GivenUp' });
    ({ calendar, taken } = await readCalendar(tx, tool, draft));
    problem = calendar.problemOf(wantedBy(draft));
    const inTheWay = calendar.conflictsOf(spanOf(draft), taken);
    if (problem?.free === 0) {
      if (ownHoldIds(draft, cart, inTheWay).length > 0) throw toolBookedByYou(draft.name, path);
      // Retrying cannot succeed: the conflicting line is in the same cart.
      if (inTheWay.some(({ holdId }) => holdId !== null && cart.includes(holdId)))
        throw toolTwiceInCart(draft.name, path);
    }
  }
  if (problem) throw datesRejected(draft.name, problem, path);
  return takeUnits(tx, draft, { status: 'held', path, units: calendar.freeUnits(spanOf(draft)) });
};

/** The renter's holds that have units in `taken`, except those of this cart. Null stands for a booking without a hold. */
const ownHoldIds = (
  { userId }: BookingRow,
  cart: string[],
  taken: TakenUnit[],
): BookingRow['holdId'][] =>
  taken
    .filter((one) => one.userId === userId && !(one.holdId && cart.includes(one.holdId)))
    .map((one) => one.holdId);
