import { normalTime } from '@lendtools/contracts/rental-period';
import type { Transaction } from '@lendtools/service-kit';
import { type BookingRow, bookingsOfHold } from '../booking-repository.ts';
import type { AskedLine } from '../domain/price.ts';
import { toolBookedByYou } from '../errors.ts';
import { databaseNow, type HoldRow, lockLiveHolds } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';
import { findFreeUnits, takeUnits } from '../tool-repository.ts';

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
 * Takes a draft's units. Where too few are free because of an older cart of the same person, that cart is given up:
 * nobody is kept from a tool by themselves.
 * @throws AppError TOOL_ALREADY_BOOKED, saying whether it is the person's own booking
 */
export const takeUnitsAlsoOwn = async (
  tx: Transaction,
  draft: BookingRow,
  path: string,
): Promise<void> => {
  let free = await findFreeUnits(tx, draft);
  if (free.length < draft.quantity) {
    const own = await findOwnOverlaps(tx, draft);
    for (const hold of await lockLiveHolds(tx, draft.userId)) {
      if (own.has(hold.id)) await advanceHold(tx, hold, { type: 'GivenUp' });
    }
    free = await findFreeUnits(tx, draft);
    const isOwn = free.length === 0 && (await findOwnOverlaps(tx, draft)).size > 0;
    if (isOwn) throw toolBookedByYou(draft.name, path);
  }
  await takeUnits(tx, draft, { status: 'held', path, free });
};

/** The holds of the person's other bookings and drafts of the same tool in the same time; null where there was none. */
const findOwnOverlaps = async (
  tx: Transaction,
  draft: BookingRow,
): Promise<Set<BookingRow['holdId']>> => {
  const { rows } = await tx.query<Pick<BookingRow, 'holdId'>>(
    `SELECT hold_id AS "holdId" FROM bookings
     WHERE user_id = $1 AND tool_id = $2 AND hold_id IS DISTINCT FROM $3
       AND status IN ('held', 'confirmed') AND starts_at < $5 AND ends_at > $4`,
    [draft.userId, draft.toolId, draft.holdId, draft.startsAt, draft.endsAt],
  );
  return new Set(rows.map(({ holdId }) => holdId));
};
