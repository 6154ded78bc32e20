import type { Tool } from '@lendtools/contracts';
import { localDate, weekdayName, weekdays } from '@lendtools/contracts/local-time';
import * as paths from '@lendtools/contracts/pages';
import { Group, NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type CSSProperties, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { localDay } from '../../rental/format.ts';
import { BlockingHint } from './blocking-hint.tsx';
import { CalendarDays, type RangeStart } from './calendar-days.tsx';
import { DayDialog, type SelectedDay } from './day-dialog.tsx';
import { blocksOn, bookingsOn, daysOfMonth } from './lent-days.ts';
import { MonthBar } from './month-bar.tsx';
import classes from './my-calendar.module.css';
import { useBookingsOfMyToolsQuery } from './my-tools-api.ts';
import { useBlocking } from './use-blocking.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';
import { useShownMonth } from './use-shown-month.ts';

interface ToolsCalendarProps {
  tools: Tool[];
  userId: string;
}

function useDayActions({ tools, userId }: ToolsCalendarProps) {
  const { data, error } = useBookingsOfMyToolsQuery(userId);
  const bookings = data?.rows ?? [];
  const navigate = useNavigate();
  const [start, setStart] = useState<RangeStart | null>(null);
  const [selected, setSelected] = useState<SelectedDay | null>(null);
  const { block, free } = useBlocking(tools);
  const onDrag = (tool: Tool, from: string, to: string) => {
    setStart(null);
    block(tool.id, from < to ? { from, to } : { from: to, to: from });
  };
  const onDay = (tool: Tool, day: string) => {
    if (start?.toolId === tool.id) return onDrag(tool, start.day, day);
    const booked = bookingsOn(bookings, tool, day);
    const blocks = blocksOn(tool, day);
    const [booking] = booked;
    if (booked.length > 1 || (booking && blocks.length > 0))
      return setSelected({ tool, day, bookings: booked, blocks });
    if (booking) return void navigate(paths.ofId(paths.myBooking, booking.id));
    if (blocks.length > 0) return free(tool.id, day);
    if (day >= localDate(tool.timeZone, Date.now())) setStart({ toolId: tool.id, day });
  };
  return {
    days: { bookings, start, onDay, onDrag },
    dialog: {
      selected,
      onClose: () => setSelected(null),
      onFree: ({ tool, day }: SelectedDay) => free(tool.id, day),
    },
    error,
    startDay: start?.day,
    cancelRange: () => setStart(null),
  };
}

function Weekdays() {
  return (
    <div className={classes.weekdays} aria-hidden>
      {weekdays.map((day) => (
        <span key={day}>{weekdayName(day).slice(0, 2)}</span>
      ))}
    </div>
  );
}

/** Shows a month of all tools on a wide screen, of one tool on a phone. */
export function ToolsCalendar({ tools, userId }: ToolsCalendarProps) {
  const isWide = useMediaQuery('(width >= 75em)', true, { getInitialValueInEffect: false });
  const today = localDay();
  const { month, toolId, setMonth, setTool } = useShownMonth(today);
  const { days, startsOn } = daysOfMonth(month);
  const keys = useCalendarKeys({ month, setMonth, isWide });
  const reached = keys.reached || (days.includes(today) ? today : (days[0] ?? ''));
  const actions = useDayActions({ tools, userId });
  const one = tools.find(({ id }) => id === toolId) ?? tools[0];
  const shown = isWide ? tools : tools.filter((tool) => tool === one);
  return (
    <>
      <MonthBar month={month} setMonth={setMonth}>
        {!isWide && (
          <NativeSelect
            aria-label="Tool"
            value={one?.id ?? ''}
            data={tools.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ currentTarget }) => {
              actions.cancelRange();
              setTool(currentTarget.value);
            }}
          />
        )}
      </MonthBar>
      <BlockingHint
        error={actions.error}
        startDay={actions.startDay}
        isWide={isWide}
        onCancel={actions.cancelRange}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the days inside. */}
      <div
        ref={keys.frame}
        className={isWide ? classes.table : classes.month}
        style={{ '--days': days.length, '--starts-on': startsOn + 1 } as CSSProperties}
        onKeyDown={(event) => {
          if (event.key === 'Escape') actions.cancelRange();
          keys.onKeyDown(event);
        }}
      >
        {shown.map((tool) => (
          <fieldset key={tool.id} className={classes.row}>
            <legend className={classes.name}>{tool.name}</legend>
            {!isWide && <Weekdays />}
            <div className={classes.days}>
              <CalendarDays tool={tool} days={days} reached={reached} {...actions.days} />
            </div>
          </fieldset>
        ))}
      </div>
      <Group gap="md" mt="md" component="ul" className={classes.key}>
        <li data-state="booked">booked</li>
        <li data-state="requested">requested, waiting for you</li>
        <li data-state="blocked">blocked</li>
      </Group>
      <DayDialog {...actions.dialog} />
    </>
  );
}
