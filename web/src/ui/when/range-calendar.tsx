import { laterDay } from '@lendtools/contracts/local-time';
import { Calendar, type CalendarProps } from '@mantine/dates';
import '@mantine/dates/styles.css';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { formatDay, formatLongDay, formatMonth, localDay } from '../../rental/format.ts';
import classes from './range-calendar.module.css';

/** The first day of the month that is `months` after the date's month. */
function laterMonth(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

interface RangeCalendarProps {
  /** `YYYY-MM-DD`, or empty if not chosen yet. */
  start: string;
  end: string;
  picking: 'start' | 'end';
  min: string;
  max: string;
  /** Hints that replace those for a rental, for example when the user chooses days to block. */
  words?: { start: string; ends: string };
  months?: number;
  /** Whether to move the focus into the calendar when it opens. */
  autoFocus?: boolean;
  /** The state of a day for screen readers; empty if unknown. */
  stateOf?: (day: string) => string;
  /** Whether a day is taken by a rental or blocked by the owner. */
  isTaken?: (day: string) => boolean;
  isPossible?: (day: string) => boolean;
  /** Called when other months are shown, with the first day after them. */
  onLook?: ((day: string) => void) | undefined;
  onPick: (day: string) => void;
}

const lookProps = {
  columnsToScroll: 1,
  maxLevel: 'month',
  firstDayOfWeek: 0,
  // Red is reserved for errors, so weekends look like other days.
  weekendDays: [],
  highlightToday: true,
  hideOutsideDates: true,
  withCellSpacing: false,
  fullWidth: true,
  size: 'md',
  ariaLabels: { previousMonth: 'Previous month', nextMonth: 'Next month' },
  // Announces the new month: the focus stays on a button whose label does not name the month.
  attributes: { calendarHeaderLevel: { 'aria-live': 'polite' } },
} satisfies CalendarProps;

/** Names each month's table after its month: Mantine would leave all tables unnamed, or give all the same name. */
function useMonthNames(calendar: RefObject<HTMLDivElement | null>, month: string) {
  useLayoutEffect(() => {
    for (const [i, table] of calendar.current?.querySelectorAll('table').entries() ?? [])
      table.setAttribute('aria-label', formatMonth(`${laterMonth(month, i)}T12:00`));
  });
}

const arrowSteps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

interface ArrowsInput {
  month: string;
  months: number;
  isInRange: (day: string) => boolean;
  show: (month: string) => void;
}

/** Lets the arrow keys leave the shown months. Mantine moves the focus within them only. */
function useArrows(
  calendar: RefObject<HTMLDivElement | null>,
  { month, months, isInRange, show }: ArrowsInput,
) {
  const [wanted, setWanted] = useState<{ day: string; step: number } | null>(null);
  useLayoutEffect(() => {
    if (!wanted) return;
    const all = calendar.current?.querySelectorAll<HTMLButtonElement>('[data-day]:enabled') ?? [];
    const isBeyond = ({ dataset: { day = '' } }: HTMLButtonElement) =>
      wanted.step > 0 ? day >= wanted.day : day <= wanted.day;
    const beyond = [...all].filter(isBeyond);
    beyond.at(wanted.step > 0 ? 0 : -1)?.focus();
    setWanted(null);
  }, [calendar, wanted]);
  return (event: KeyboardEvent) => {
    const { day } = (event.target as HTMLElement).dataset;
    const step = arrowSteps[event.key];
    if (!day || !step) return;
    const next = laterDay(day, step);
    const first = laterMonth(month, 0);
    const isShown = next >= first && next < laterMonth(first, months);
    if (isShown || !isInRange(next)) return;
    event.preventDefault();
    event.stopPropagation();
    show(laterMonth(first, Math.sign(step)));
    setWanted({ day: next, step });
  };
}

/** Focuses the day that Tab would reach. */
function useFocusOnOpen(calendar: RefObject<HTMLDivElement | null>, autoFocus: boolean) {
  useEffect(() => {
    const day = calendar.current?.querySelector<HTMLElement>('[data-day][tabindex="0"]');
    // Don't scroll: a popover gets its position only later.
    if (autoFocus) day?.focus({ preventScroll: true });
  }, [calendar, autoFocus]);
}

function roleOf(day: string, start: string, end: string): string {
  if (day === start) return 'start date';
  if (day === end) return 'returning date';
  return start && day > start && day < end ? 'part of your rental' : '';
}

export function RangeCalendar({
  start,
  end,
  picking,
  min,
  max,
  words = { start: 'Pick your start date', ends: '…' },
  months = 1,
  autoFocus = false,
  stateOf = () => '',
  isTaken = () => false,
  isPossible = () => true,
  onLook,
  onPick,
}: RangeCalendarProps) {
  const [pointed, setPointed] = useState('');
  const [month, setMonth] = useState(start || min);
  const calendar = useRef<HTMLDivElement>(null);
  useMonthNames(calendar, month);
  useFocusOnOpen(calendar, autoFocus);
  const last = picking === 'end' && pointed > start ? pointed : end;
  const isWithin = (day: string) => Boolean(start && last) && day >= start && day <= last;
  const name = (day: string) =>
    [formatLongDay(day), roleOf(day, start, end), stateOf(day)].filter(Boolean).join(', ');
  const isOff = (day: string) => day < min || day > max || !isPossible(day);
  const show = (first: string) => {
    setMonth(first);
    onLook?.(laterMonth(first, months));
  };
  const isInRange = (day: string) => day >= min && day <= max;
  const onArrow = useArrows(calendar, { month, months, isInRange, show });
  return (
    <div className={classes.calendar} ref={calendar} onKeyDownCapture={onArrow}>
      <p className={classes.hint} role="status">
        {picking === 'start' ? words.start : `From ${formatDay(start)} until ${words.ends}`}
      </p>
      <Calendar
        {...lookProps}
        minDate={min}
        maxDate={max}
        date={month}
        onDateChange={show}
        numberOfColumns={months}
        excludeDate={isOff}
        getDayAriaLabel={name}
        getDayProps={(day) => ({
          selected: day === start || (day === end && picking === 'start') || day === last,
          inRange: isWithin(day),
          firstInRange: Boolean(last) && day === start,
          lastInRange: Boolean(start) && day === last,
          'data-day': day,
          'data-taken': isTaken(day) || undefined,
          'aria-current': day === localDay() ? 'date' : undefined,
          'aria-pressed': day === start || day === end,
          onMouseEnter: () => setPointed(isOff(day) ? '' : day),
          onClick: () => onPick(day),
        })}
        onMouseLeave={() => setPointed('')}
      />
    </div>
  );
}
