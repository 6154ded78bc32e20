import { laterDay } from '@lendtools/contracts/local-time';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { daysOfMonth, isSameWeek, laterMonth, sameDayOf } from './lent-days.ts';
import { isShowable } from './use-shown-month.ts';

const neighbors: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const weeks: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
const months: Record<string, number> = { PageUp: -1, PageDown: 1 };

/** Follows the ARIA date grid pattern. A row is a week; on a wide screen it is a tool's month. */
function dayFor({ key, shiftKey }: KeyboardEvent, day: string, isWide: boolean) {
  const month = day.slice(0, 7);
  const { days } = daysOfMonth(month);
  const row = isWide ? days : days.filter((other) => isSameWeek(other, day));
  if (neighbors[key]) return laterDay(day, neighbors[key]);
  if (weeks[key] && !isWide) return laterDay(day, 7 * weeks[key]);
  if (months[key]) return sameDayOf(laterMonth(month, months[key] * (shiftKey ? 12 : 1)), day);
  return { Home: row[0], End: row.at(-1) }[key];
}

interface ShownMonth {
  month: string;
  setMonth: (month: string) => void;
  isWide: boolean;
}

/** Keys move the focus between days. `reached` is the last day focused by a key, if it is in the shown month. */
export function useCalendarKeys({ month, setMonth, isWide }: ShownMonth) {
  const [reached, setReached] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef('');
  const find = (tool: string, day: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-tool="${tool}"][data-day="${day}"]`);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { tool, day } = (event.target as HTMLElement).dataset;
    // Leave the browser's own shortcuts alone, such as Alt+Left for Back.
    if (!tool || !day || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = isWide && weeks[event.key];
    const next = step ? day : dayFor(event, day, isWide);
    if (!next) return;
    event.preventDefault();
    const tools = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-day="${day}"]`)];
    const row = tools.findIndex(({ dataset }) => dataset.tool === tool) + (step || 0);
    const other = tools[row]?.dataset.tool;
    const nextMonth = next.slice(0, 7);
    if (!other || !isShowable(nextMonth)) return;
    setReached(next);
    find(other, next)?.focus();
    if (nextMonth === month) return;
    wanted.current = other;
    setMonth(nextMonth);
  };
  // Focus a day of another month only once that month has rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the month changes.
  useEffect(() => {
    if (wanted.current) find(wanted.current, reached)?.focus();
    wanted.current = '';
  }, [month]);
  return { reached: reached.startsWith(month) ? reached : '', frame, onKeyDown };
}
