import { laterDay } from '@lendtools/contracts/local-time';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { laterMonth, sameDayOf } from './lent-days.ts';
import { isShowable } from './use-shown-days.ts';

const neighbors: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const rows: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
const months: Record<string, number> = { PageUp: -1, PageDown: 1 };

/** Follows the ARIA grid pattern. A row is a tool. */
function dayFor({ key, shiftKey }: KeyboardEvent, day: string, days: string[]) {
  if (neighbors[key]) return laterDay(day, neighbors[key]);
  if (months[key])
    return sameDayOf(laterMonth(day.slice(0, 7), months[key] * (shiftKey ? 12 : 1)), day);
  return { Home: days[0], End: days.at(-1) }[key];
}

interface ShownDays {
  days: string[];
  show: (day: string) => void;
}

/** Keys move the focus between days. `reached` is the last day focused by a key, if it is shown. */
export function useCalendarKeys({ days, show }: ShownDays) {
  const [reached, setReached] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef('');
  const [first = ''] = days;
  const find = (tool: string, day: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-tool="${tool}"][data-day="${day}"]`);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, currentTarget, target } = event;
    const { tool, day } = (target as HTMLElement).dataset;
    // Leave the browser's own shortcuts alone, such as Alt+Left for Back.
    if (!tool || !day || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = rows[key];
    const next = step ? day : dayFor(event, day, days);
    if (!next) return;
    event.preventDefault();
    const tools = [...currentTarget.querySelectorAll<HTMLElement>(`[data-day="${day}"]`)];
    const row = tools.findIndex(({ dataset }) => dataset.tool === tool) + (step ?? 0);
    const other = tools[row]?.dataset.tool;
    if (!other || !isShowable(next)) return;
    setReached(next);
    find(other, next)?.focus();
    if (days.includes(next)) return;
    wanted.current = other;
    show(key === 'ArrowLeft' ? laterDay(next, 1 - days.length) : next);
  };
  // Focus a day that was not shown only once it has rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when other days are shown.
  useEffect(() => {
    if (wanted.current) find(wanted.current, reached)?.focus();
    wanted.current = '';
  }, [first]);
  return { reached: days.includes(reached) ? reached : '', frame, onKeyDown };
}
