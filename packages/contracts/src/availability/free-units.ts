import type { Known, Rules, Span, Taken, Wanted } from '../availability.ts';
import { daysLater } from '../local-time.ts';
import { hourMs } from '../rental-period.ts';
import type { LocalDays } from './local-days.ts';

export type FreeInterval = Span & { free: number };
export type Units = ReturnType<typeof unitsOf>;

/** Decides which units of a tool are free. Ignores opening hours and notice. */
export const unitsOf = (
  rules: Rules,
  { taken, had }: Pick<Known, 'taken' | 'had'>,
  { spanOf }: LocalDays,
) => {
  const { units, terms } = rules;
  const withReady = <T extends Taken>(one: T) => ({ ...one, readyMs: readyAfter(rules, one.toMs) });
  const busy = taken.map(withReady);
  const blocked = (terms?.blocked ?? []).map(({ from, to }) => spanOf(from, to));

  /** Ignores blocked days that the rental being changed already covers: the owner may have blocked them after it was booked. */
  const isBlocked = (span: Span, mayKeep = true): boolean =>
    (mayKeep ? newPartsOf(span, had) : [span]).some((part) =>
      blocked.some((block) => overlaps(block, part)),
    );

  const conflicts = <T extends Taken>(span: Span, among: readonly (T & { readyMs: number })[]) => {
    const readyMs = readyAfter(rules, span.toMs);
    return among.filter((one) => span.fromMs < one.readyMs && one.fromMs < readyMs);
  };

  /** The numbers of the units that are free. */
  const freeUnits = (span: Span, among = busy): number[] => {
    if (isBlocked(span)) return [];
    return unitsLeft(units, new Set(conflicts(span, among).map(({ unit }) => unit)));
  };

  const whyTaken = (span: Span, quantity: number): 'booked' | 'held' => {
    const paid = busy.filter(({ why }) => why === 'booked');
    return freeUnits(span, paid).length >= quantity ? 'held' : 'booked';
  };

  /** Splits a span where a taken or blocked span begins or ends, and merges neighbors with the same free units. */
  const freeIntervals = (span: Span): FreeInterval[] => {
    const room = (terms?.buffer ?? 0) * hourMs;
    const near = busy.filter((one) => one.fromMs - room < span.toMs && one.readyMs > span.fromMs);
    const cuts = [
      ...near.flatMap((one) => [one.fromMs - room, one.readyMs]),
      ...blocked.flatMap((block) => [block.fromMs, block.toMs]),
    ];
    return mergeNeighbors(
      splitAt(span, cuts).map((part) => ({ ...part, units: freeUnits(part, near) })),
    )
      .filter((part) => part.units.length > 0)
      .map(({ fromMs, toMs, units }) => ({ fromMs, toMs, free: units.length }));
  };

  return {
    isBlocked,
    freeUnits,
    whyTaken,
    freeIntervals,
    /** Returns those of `among` that overlap a rental in this span, or that are closer to it than the buffer. */
    conflictsOf: <T extends Taken>(span: Span, among: readonly T[]): T[] =>
      conflicts(span, among.map(withReady)),
  };
};

const overlaps = (one: Span, other: Span): boolean =>
  one.fromMs < other.toMs && other.fromMs < one.toMs;

/** The parts of a span that the existing rental does not cover. */
export const newPartsOf = (span: Span, had: Wanted | undefined): Span[] => {
  const own = had && { fromMs: had.startsAtMs, toMs: had.endsAtMs };
  if (!own || !overlaps(span, own)) return [span];
  return [
    { fromMs: span.fromMs, toMs: own.fromMs },
    { fromMs: own.toMs, toMs: span.toMs },
  ].filter(({ fromMs, toMs }) => fromMs < toMs);
};

/** When the next rental may begin after one that ends at `endMs`. */
const readyAfter = ({ circle, timeZone, terms }: Rules, endMs: number): number => {
  const buffer = terms?.buffer ?? 0;
  if (buffer === 0) return endMs;
  return circle === 'hourly' ? endMs + buffer * hourMs : daysLater(endMs, buffer, timeZone);
};

/** The numbers of the units that are not gone. */
const unitsLeft = (units: number, gone: Set<number>): number[] => {
  const left = Array.from({ length: units }, (_, i) => i + 1).filter((unit) => !gone.has(unit));
  // If the owner has reduced the number of units, a unit with a higher number may still be rented out. Such a
  // rental uses up one of the remaining units.
  const surplus = [...gone].filter((unit) => unit > units).length;
  return left.slice(0, Math.max(0, left.length - surplus));
};

const splitAt = ({ fromMs, toMs }: Span, cuts: number[]): Span[] => {
  const inside = cuts.filter((cut) => cut > fromMs && cut < toMs);
  const starts = [...new Set([fromMs, ...inside])].sort((a, b) => a - b);
  return starts.map((start, i) => ({ fromMs: start, toMs: starts[i + 1] ?? toMs }));
};

/** Merges neighboring parts with the same free units. */
const mergeNeighbors = (parts: (Span & { units: number[] })[]) => {
  const merged: typeof parts = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && String(last.units) === String(part.units)) last.toMs = part.toMs;
    else merged.push(part);
  }
  return merged;
};
