import type { Tool } from '@lendtools/contracts';
import { localDate } from '@lendtools/contracts/local-time';
import { useEffect, useRef, useState } from 'react';
import { formatLongDay, formatMoney } from '../../rental/format.ts';
import { type Block, blocksOn, type Stay, staysOn } from './lent-days.ts';
import classes from './my-calendar.module.css';
import { byWhom } from './stay-words.ts';

export interface RangeStart {
  toolId: string;
  day: string;
}

/** If a day has several states, booked takes precedence over requested, and requested over blocked. */
function stateOf(stays: Stay[], blocks: Block[]) {
  if (stays.length > 0)
    return stays.every(({ isRequested }) => isRequested) ? 'requested' : 'booked';
  return blocks.length > 0 ? 'blocked' : undefined;
}

interface DaysProps {
  tool: Tool;
  days: string[];
  stays: Stay[];
  start: RangeStart | null;
  /** The only day of each tool that the Tab key reaches; arrow keys reach the other days. */
  reached: string;
  onDay: (tool: Tool, day: string) => void;
  onDrag: (tool: Tool, from: string, to: string) => void;
}

/** A tool's days, one button each. Choose a range by a mouse drag, or its first and last day by a tap or a key. */
export function CalendarDays({ tool, days, stays, start, reached, onDay, onDrag }: DaysProps) {
  const dragged = useRef('');
  const [over, setOver] = useState('');
  useEffect(() => {
    // A pointer released elsewhere cancels the drag.
    const end = () => {
      dragged.current = '';
      setOver('');
    };
    window.addEventListener('pointerup', end);
    return () => window.removeEventListener('pointerup', end);
  }, []);
  const today = localDate(tool.timeZone, Date.now());
  const first = start?.toolId === tool.id ? start.day : '';
  return days.map((day, i) => {
    const rented = staysOn(stays, tool, day);
    const blocks = blocksOn(tool, day);
    const isOver = day < today;
    const from = dragged.current || first;
    const [low = '', high = ''] = [from, over || from].sort();
    const isChosen = Boolean(from) && day >= low && day <= high;
    const isFree = rented.length === 0 && blocks.length === 0 && !isOver;
    const price = isFree && tool.item_status === 'Available' && formatMoney(tool.price, true);
    const state = [
      rented.length > 0 && rented.map(byWhom).join(', '),
      blocks.length > 0 &&
        ['blocked', ...blocks.map(({ note }) => note).filter(Boolean)].join(', '),
      rented.length === 0 && blocks.length === 0 && (isOver ? 'over' : 'free'),
      price,
    ].filter(Boolean);
    return (
      <button
        key={day}
        type="button"
        className={classes.day}
        style={{ gridColumn: i + 1 }}
        data-tool={tool.id}
        data-day={day}
        data-state={stateOf(rented, blocks)}
        data-blocked={blocks.length > 0 || undefined}
        data-over={isOver || undefined}
        data-chosen={isChosen || undefined}
        aria-label={`${formatLongDay(day)}, ${state.join(', ')}`}
        aria-pressed={day === first}
        aria-current={day === today ? 'date' : undefined}
        aria-disabled={(isOver && rented.length === 0) || undefined}
        tabIndex={day === reached ? 0 : -1}
        onPointerDown={({ pointerType, button }) => {
          if (pointerType === 'mouse' && button === 0 && isFree) dragged.current = day;
        }}
        onPointerEnter={() => setOver(day)}
        onPointerUp={() => {
          const begun = dragged.current;
          if (begun && begun !== day) onDrag(tool, begun, day);
        }}
        onClick={() => onDay(tool, day)}
      >
        {price}
      </button>
    );
  });
}
