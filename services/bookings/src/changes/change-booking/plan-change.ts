import { calendarOf, type TermsProblem } from '@lendtools/contracts/availability';
import type { Db } from '@lendtools/service-kit';
import {
  answerByOfChange,
  type PricedChange,
  priceChange,
  type WantedRental,
} from '../../domain/change.ts';
import { changeInDispute, toolUnavailable } from '../../domain/errors.ts';
import type { Tool } from '../../domain/price.ts';
import { isDisputed } from '../../store/allocation-repository.ts';
import { isBlocked } from '../../store/block-repository.ts';
import type { BookingRow } from '../../store/booking-repository.ts';
import {
  findTaken,
  findUnits,
  spanOf,
  type TakenUnit,
  wantedBy,
} from '../../store/tool-repository.ts';

export interface PlannedChange {
  change: PricedChange;
  /** The owner's deadline to answer; null if the tool needs no approval. */
  answerBy: Date | null;
  /** Why the change is not possible; undefined if the change is possible. */
  problem: TermsProblem | undefined;
  /** Whether the conflict is with another booking or request of the same renter. */
  isOwn: boolean;
  /** The units after the change. Prefers units that no cart of the renter holds, then the booking's own units. */
  units: number[];
  /** How many of `units` the booking has already. */
  kept: number;
  /** The renter's unpaid carts that hold some of `units`. The change ends these carts. */
  ownHolds: string[];
}

interface Known {
  tool: Tool;
  now: Date;
  leftCents: number;
}

/** Prices and checks a change. The booking's own units and the renter's carts count as free. Lock the tool first. */
export const planChange = async (
  db: Db,
  booking: BookingRow,
  wanted: WantedRental,
  { tool, now, leftCents }: Known,
): Promise<PlannedChange> => {
  const change = priceChange(booking, wanted, { now, leftCents });
  if (await isDisputed(db, booking.id)) throw changeInDispute();
  if (tool.removed || tool.ownerDisabled) throw toolUnavailable(tool.name, '');

  const next = { ...booking, ...change };
  const taken = await findTaken(db, tool.id, spanOf(next));
  const isOwnCart = (one: TakenUnit) => one.isCart && one.userId === booking.userId;
  const others = taken.filter((one) => one.bookingId !== booking.id && !isOwnCart(one));
  const known = { taken: others, nowMs: now.getTime(), had: wantedBy(booking) };
  const calendar = calendarOf(tool, known);

  const isLess =
    change.startsAt >= booking.startsAt &&
    change.endsAt <= booking.endsAt &&
    change.quantity <= booking.quantity;
  if (!isLess && (await isBlocked(db, booking.userId, tool.ownerId)))
    throw toolUnavailable(tool.name, '');
  const free = calendar.freeUnits(spanOf(next));
  const had = (await findUnits(db, [booking.id])).get(booking.id) ?? [];
  const kept = had.filter((unit) => isLess || free.includes(unit));
  const carts = calendar.conflictsOf(spanOf(next), taken.filter(isOwnCart));
  const isInCart = (unit: number) => carts.some((cart) => cart.unit === unit);
  const usable = [...kept, ...free.filter((unit) => !had.includes(unit))];
  const units = [...usable.filter((unit) => !isInCart(unit)), ...usable.filter(isInCart)].slice(
    0,
    change.quantity,
  );
  const problem = calendar.problemOf(wantedBy(next));
  const inTheWay = problem?.free === 0 ? calendar.conflictsOf(spanOf(next), others) : [];
  return {
    change,
    problem,
    units,
    answerBy:
      tool.terms?.booking === 'request'
        ? answerByOfChange(booking, change, { terms: tool.terms, now })
        : null,
    isOwn: inTheWay.some(({ userId }) => userId === booking.userId),
    kept: units.filter((unit) => had.includes(unit)).length,
    ownHolds: carts.flatMap(({ unit, holdId }) => (holdId && units.includes(unit) ? [holdId] : [])),
  };
};
