import type { Tool } from '@lendtools/contracts';
import { localDate, weekdayName, weekdayOf } from '@lendtools/contracts/local-time';
import * as paths from '@lendtools/contracts/pages';
import { Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type CSSProperties, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useNow } from '../../lib/use-now.ts';
import { localDay } from '../../rental/format.ts';
import { Price } from '../../ui/price.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import { BlockingHint } from './blocking-hint.tsx';
import { CalendarDays, type RangeStart } from './calendar-days.tsx';
import { DayDialog, type SelectedDay } from './day-dialog.tsx';
import { DaysBar } from './days-bar.tsx';
import { blocksOn, type Stay, staysOf, staysOn } from './lent-days.ts';
import classes from './my-calendar.module.css';
import { useBookingsOfMyToolsQuery } from './my-tools-api.ts';
import { barsOf, StayBars } from './stay-bars.tsx';
import { StayList } from './stay-list.tsx';
import { untilToday } from './stay-words.ts';
import { useBlocking } from './use-blocking.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';
import { useShownDays } from './use-shown-days.ts';

interface ToolsCalendarProps {
  tools: Tool[];
  userId: string;
}

function useDayActions(tools: Tool[], stays: Stay[]) {
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
    const rented = staysOn(stays, tool, day);
    const blocks = blocksOn(tool, day);
    const [stay] = rented;
    if (rented.length > 1 || (stay && blocks.length > 0))
      return setSelected({ tool, day, stays: rented, blocks });
    if (stay) return void navigate(paths.ofId(paths.myBooking, stay.booking.id));
    if (blocks.length > 0) return free(tool.id, day);
    if (day >= localDate(tool.timeZone, Date.now())) setStart({ toolId: tool.id, day });
  };
  return {
    days: { start, onDay, onDrag },
    dialog: {
      selected,
      onClose: () => setSelected(null),
      onFree: ({ tool, day }: SelectedDay) => free(tool.id, day),
    },
    start,
    cancelRange: () => setStart(null),
  };
}

/** Hidden from screen readers, because each day below has its whole date as its name. */
function DayNames({ days, today }: { days: string[]; today: string }) {
  return (
    <div className={classes.head} aria-hidden>
      <div className={classes.names}>
        {days.map((day) => (
          <span key={day} data-today={day === today || undefined}>
            {weekdayName(weekdayOf(day)).slice(0, 3)}
            <b>{Number(day.slice(8))}</b>
          </span>
        ))}
      </div>
    </div>
  );
}

function ToolName({ tool }: { tool: Tool }) {
  return (
    <div className={classes.tool}>
      <ToolPicture tool={tool} className={classes.thumbnail} sizes="56px" />
      <Link to={paths.ofId(paths.editTool, tool.id)} id={`tool-${tool.id}`}>
        {tool.name}
      </Link>
      {tool.item_status === 'Available' ? (
        <Price amount={tool.price} circle={tool.rental_circle} size="sm" />
      ) : (
        <Text size="sm" c="dimmed">
          Not listed
        </Text>
      )}
    </div>
  );
}

/** Two weeks of all tools, on a phone one week. */
export function ToolsCalendar({ tools, userId }: ToolsCalendarProps) {
  const isWide = useMediaQuery('(width >= 48em)', true, { getInitialValueInEffect: false });
  const now = useNow();
  const today = localDay(new Date(now));
  const { days, show } = useShownDays(today, isWide ? 14 : 7);
  const [from = today, to = today] = [days[0], days.at(-1)];
  const { data, error } = useBookingsOfMyToolsQuery({ userId, from, to });
  const booked = useMemo(() => data?.rows.flatMap(staysOf) ?? [], [data]);
  const stays = booked.map((stay) => untilToday(stay, now));
  const keys = useCalendarKeys({ days, show });
  const reached = keys.reached || (days.includes(today) ? today : (days[0] ?? ''));
  const actions = useDayActions(tools, stays);
  const startTool = tools.find(({ id }) => id === actions.start?.toolId);
  return (
    <>
      <DaysBar days={days} today={today} show={show} />
      <BlockingHint
        error={error}
        start={actions.start && { day: actions.start.day, tool: startTool?.name ?? '' }}
        isWide={isWide}
        onCancel={actions.cancelRange}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the days inside. */}
      <div
        ref={keys.frame}
        className={classes.calendar}
        style={{ '--days': days.length } as CSSProperties}
        onKeyDown={(event) => {
          if (event.key === 'Escape') actions.cancelRange();
          keys.onKeyDown(event);
        }}
      >
        <DayNames days={days} today={today} />
        {tools.map((tool) => {
          const own = stays.filter(({ booking }) => booking.rental_id === tool.id);
          const { bars, lanes } = barsOf(tool, own, days);
          return (
            <fieldset key={tool.id} className={classes.row} aria-labelledby={`tool-${tool.id}`}>
              <ToolName tool={tool} />
              <div className={classes.days} style={{ '--lanes': lanes } as CSSProperties}>
                <CalendarDays
                  tool={tool}
                  days={days}
                  stays={own}
                  reached={reached}
                  {...actions.days}
                />
                <StayBars bars={bars} days={days} now={now} />
              </div>
            </fieldset>
          );
        })}
      </div>
      <Group gap="md" mt="md" component="ul" className={classes.key}>
        <li data-look="booked">booked</li>
        <li data-look="out">out now</li>
        <li data-look="overdue">overdue</li>
        <li data-look="requested">requested, waiting for you</li>
        <li data-look="over">back</li>
        <li data-look="blocked">blocked</li>
      </Group>
      {data && <StayList stays={stays} days={days} now={now} />}
      <DayDialog {...actions.dialog} />
    </>
  );
}
