import type { Tool } from '@lendtools/contracts';
import { laterDay } from '@lendtools/contracts/local-time';
import { furthestDays, longestDays } from '@lendtools/contracts/rental-period';
import { Skeleton } from '@mantine/core';
import { lazy, useMemo } from 'react';
import { firstDay } from '../../rental/booking-rules.ts';
import { canEnd, canStart, type Selection } from '../../rental/choosing-when.ts';
import { dayInWords, isTaken } from '../../rental/tool-calendar.ts';
import { Part } from '../part.tsx';

export async function loadCalendar() {
  return { default: (await import('./range-calendar.tsx')).RangeCalendar };
}

const RangeCalendar = lazy(loadCalendar);

export type PeriodEnd = 'start' | 'end';

/** Caches the result per day, because the calendar needs it for each day on every mouse move. */
function useOncePerDay(compute: (day: string) => boolean, changes: unknown[]) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results depend on these values.
  const results = useMemo(() => new Map<string, boolean>(), changes);
  return (day: string): boolean => {
    const result = results.get(day) ?? compute(day);
    results.set(day, result);
    return result;
  };
}

interface PickDaysProps extends Selection {
  id: string;
  tool: Tool;
  picking: PeriodEnd;
  months: 1 | 2;
  autoFocus: boolean;
  onLook?: ((day: string) => void) | undefined;
  onPick: (day: string) => void;
}

export function PickDays({
  id,
  tool,
  picking,
  months,
  autoFocus,
  onLook,
  onPick,
  ...selection
}: PickDaysProps) {
  const { draft, withTimes, calendar } = selection;
  const { start_date, end_date, quantity } = draft;
  const first = firstDay(tool);
  /** Picking a day before the start sets a new start. */
  const isStart = (day: string) => picking === 'start' || day < start_date;
  const isPossible = useOncePerDay(
    (day) => (isStart(day) ? canStart(tool, day, selection) : canEnd(tool, day, selection)),
    [tool, calendar, withTimes, picking, start_date, quantity],
  );
  const stateOf = (day: string) => {
    const calendarDay = calendar.dayOf(day);
    const isFree = calendarDay?.why === null && calendarDay.free >= quantity;
    return isFree && isStart(day) && !isPossible(day)
      ? 'not free long enough'
      : dayInWords(calendarDay, tool.quantity);
  };
  return (
    <div id={id}>
      <Part waiting={<Skeleton h={360} />}>
        <RangeCalendar
          start={start_date}
          end={end_date}
          picking={picking}
          min={first}
          max={
            picking === 'end' ? laterDay(start_date, longestDays) : laterDay(first, furthestDays)
          }
          months={months}
          autoFocus={autoFocus}
          stateOf={stateOf}
          isTaken={(day) => !isPossible(day) && isTaken(calendar.dayOf(day), quantity)}
          isPossible={isPossible}
          onLook={onLook}
          onPick={onPick}
        />
      </Part>
    </div>
  );
}
