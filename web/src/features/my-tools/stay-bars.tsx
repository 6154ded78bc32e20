import type { Tool } from '@lendtools/contracts';
import type { CSSProperties } from 'react';
import { type Block, intoLanes, type Stay } from './lent-days.ts';
import classes from './my-calendar.module.css';
import { stayLook, stayStatus } from './stay-words.ts';

type Range = Stay | Block;

/** The bars of a tool in the shown days: its stays above its blocked days. */
export function barsOf(tool: Tool, stays: Stay[], days: string[]) {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const isShown = ({ from, to }: Range) => from <= last && to >= first;
  const rented = intoLanes(stays.filter((stay) => isShown(stay)));
  const used = Math.max(0, ...rented.map(({ lane }) => lane + 1));
  const blocked = intoLanes((tool.terms?.blocked ?? []).filter(isShown));
  const bars: { range: Range; lane: number }[] = [
    ...rented,
    // Below the stays, so that a bar never hides another one.
    ...blocked.map(({ range, lane }) => ({ range, lane: lane + used })),
  ];
  return { bars, lanes: Math.max(1, ...bars.map(({ lane }) => lane + 1)) };
}

function StayLabel({ stay, now }: { stay: Stay; now: number }) {
  const { user, quantity } = stay.booking;
  return (
    <>
      <b>
        {user.first_name} {user.last_name.slice(0, 1)}.{quantity > 1 && ` ×${quantity}`}
      </b>
      <span className={classes.status}>{stayStatus(stay, now)}</span>
    </>
  );
}

interface StayBarsProps {
  bars: ReturnType<typeof barsOf>['bars'];
  days: string[];
  now: number;
}

/** Hidden from screen readers and without events, because the days below have the names and take the clicks. */
export function StayBars({ bars, days, now }: StayBarsProps) {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return bars.map(({ range, lane }) => {
    const { from, to } = range;
    const start = Math.max(0, days.indexOf(from));
    const end = to > last ? days.length : days.indexOf(to) + 1;
    const isStay = 'booking' in range;
    return (
      <span
        key={`${isStay ? range.booking.id : 'blocked'} ${from}`}
        className={classes.bar}
        data-look={isStay ? stayLook(range, now) : 'blocked'}
        data-continued={from < first || undefined}
        data-continues={to > last || undefined}
        style={{ gridColumn: `${start + 1} / ${end + 1}`, '--lane': lane + 2 } as CSSProperties}
        aria-hidden
      >
        {isStay ? <StayLabel stay={range} now={now} /> : <span>{range.note || 'Blocked'}</span>}
      </span>
    );
  });
}
