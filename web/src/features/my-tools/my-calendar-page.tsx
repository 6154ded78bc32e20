import type { Tool } from '@lendtools/contracts';
import { laterDay, localDate, weekdayName, weekdays } from '@lendtools/contracts/local-time';
import * as paths from '@lendtools/contracts/pages';
import { ActionIcon, Button, Center, Group, NativeSelect, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { errorCode, errorMessage } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { useLazyToolQuery } from '../../api/tool-api.ts';
import { formatDay, formatMonth, localDay } from '../../lib/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { dismissToast, toastError } from '../../ui/toast.ts';
import { toastWithUndo } from '../../ui/undo-toast.tsx';
import { CalendarDays, type Start } from './calendar-days.tsx';
import { type AskedDay, DayDialog } from './day-dialog.tsx';
import {
  type Block,
  type BlockChange,
  blocksOn,
  bookingsOn,
  changed,
  daysOfMonth,
  isSameWeek,
  laterMonth,
  rangeInWords,
  sameDayOf,
  toBlock,
  toFree,
  undone,
} from './lent-days.ts';
import classes from './my-calendar.module.css';
import {
  useBookingsOfMyToolsQuery,
  useMyToolsInfiniteQuery,
  useUpdateToolMutation,
} from './my-tools-api.ts';

const undoMs = 10_000;

type Change = (blocked: Block[]) => BlockChange;

/** Changes the blocked days, based on the newest known version of the tool. */
function useBlockedDays(tools: Tool[]) {
  const [update] = useUpdateToolMutation();
  const [readTool] = useLazyToolQuery();
  const newest = useRef(new Map<string, Tool>());
  useEffect(() => {
    for (const tool of tools) {
      const known = newest.current.get(tool.id);
      if ((known?.revision ?? 0) <= (tool.revision ?? 0)) newest.current.set(tool.id, tool);
    }
  }, [tools]);

  const save = async (tool: Tool, change: Change) => {
    const blocked = tool.terms?.blocked ?? [];
    const made = change(blocked);
    const form = new FormData();
    form.set('terms', JSON.stringify({ ...tool.terms, blocked: changed(blocked, made) }));
    const { data, error } = await update({ tool, form });
    if (data) newest.current.set(tool.id, data.rental);
    return { tool, made, error };
  };
  return async (toolId: string, change: Change) => {
    const tool = newest.current.get(toolId);
    if (!tool) return null;
    const saved = await save(tool, change);
    if (errorCode(saved.error) !== 'EDITED_ELSEWHERE') return saved;
    const { data } = await readTool(toolId);
    return data ? save(data, change) : saved;
  };
}

/** Blocks and frees days, one change after the other. The last change can be undone for a while. */
function useBlocking(tools: Tool[]) {
  const change = useBlockedDays(tools);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const toast = useRef('');
  const apply = (toolId: string, days: Change) => {
    last.current = last.current.then(() => applyNow(toolId, days)).catch(() => undefined);
  };
  const applyNow = async (toolId: string, days: Change) => {
    const done = await change(toolId, days);
    if (!done) return;
    const { tool, made, error } = done;
    if (error) return toastError(errorMessage(error));
    const isFreed = made.into.length === 0;
    const ranges = (isFreed ? made.out : made.into).map(rangeInWords).join(', ');
    // Remove the toast of the previous change, whose undo button no longer applies.
    void dismissToast(toast.current);
    toast.current = toastWithUndo(
      `${tool.name} is ${isFreed ? 'free again' : 'blocked'}: ${ranges}`,
      undoMs,
      () => apply(toolId, () => undone(made)),
    );
  };
  return {
    block: (toolId: string, days: Block) => apply(toolId, (blocked) => toBlock(blocked, days)),
    free: (toolId: string, day: string) => apply(toolId, (blocked) => toFree(blocked, day)),
  };
}

const neighbors: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const weeks: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
const months: Record<string, number> = { PageUp: -1, PageDown: 1 };

/**
 * The day to which a key moves, as in the ARIA date grid pattern. A row is a week; in the wide table it is a tool's month,
 * and Up and Down lead to other tools.
 */
function dayFor({ key, shiftKey }: KeyboardEvent, day: string, isWide: boolean) {
  const month = day.slice(0, 7);
  const { days } = daysOfMonth(month);
  const row = isWide ? days : days.filter((other) => isSameWeek(other, day));
  if (neighbors[key]) return laterDay(day, neighbors[key]);
  if (weeks[key] && !isWide) return laterDay(day, 7 * weeks[key]);
  if (months[key]) return sameDayOf(laterMonth(month, months[key] * (shiftKey ? 12 : 1)), day);
  return { Home: row[0], End: row.at(-1) }[key];
}

interface Shown {
  month: string;
  setMonth: (month: string) => void;
  isWide: boolean;
}

const isShowable = (month: string) => /^20\d\d-(0[1-9]|1[0-2])$/.test(month);

function useKeys({ month, setMonth, isWide }: Shown) {
  const [reached, setReached] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef('');
  const find = (tool: string, day: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-tool="${tool}"][data-day="${day}"]`);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { tool, day } = (event.target as HTMLElement).dataset;
    // With a modifier the key belongs to the browser: Alt+Left goes back.
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
  // The days of another month can be focused only after it has rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the month changes.
  useEffect(() => {
    if (wanted.current) find(wanted.current, reached)?.focus();
    wanted.current = '';
  }, [month]);
  return { reached: reached.startsWith(month) ? reached : '', frame, onKeyDown };
}

/** The month and, on a phone, the tool are stored in the address, so that Back from a booking restores them. */
function useShown(today: string) {
  const [params, setParams] = useSearchParams();
  const asked = params.get('month') ?? '';
  const set = (name: 'month' | 'tool', value: string) =>
    setParams(
      (now) => {
        now.set(name, value);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    month: isShowable(asked) ? asked : today.slice(0, 7),
    toolId: params.get('tool') ?? '',
    setMonth: (month: string) => {
      if (isShowable(month)) set('month', month);
    },
    setTool: (id: string) => set('tool', id),
  };
}

export default function MyCalendarPage() {
  const userId = useUser()?.id ?? '';
  const navigate = useNavigate();
  const found = useMyToolsInfiniteQuery(userId);
  const { data: booked, error } = useBookingsOfMyToolsQuery(userId);
  const tools = found.data?.pages.flatMap(({ rentals }) => rentals) ?? [];
  const isWide = useMediaQuery('(width >= 75em)', true, { getInitialValueInEffect: false });
  const today = localDay();
  const { month, toolId, setMonth, setTool } = useShown(today);
  const [start, setStart] = useState<Start | null>(null);
  const [asked, setAsked] = useState<AskedDay | null>(null);
  const { block, free } = useBlocking(tools);
  const { days, startsOn } = daysOfMonth(month);
  const keys = useKeys({ month, setMonth, isWide });
  const reached = keys.reached || (days.includes(today) ? today : (days[0] ?? ''));
  const one = tools.find(({ id }) => id === toolId) ?? tools[0];
  const shown = isWide ? tools : tools.filter((tool) => tool === one);

  const take = (tool: Tool, from: string, to: string) => {
    setStart(null);
    block(tool.id, from < to ? { from, to } : { from: to, to: from });
  };
  const choose = (tool: Tool, day: string) => {
    if (start?.toolId === tool.id) return take(tool, start.day, day);
    const bookings = bookingsOn(booked?.rows ?? [], tool, day);
    const blocks = blocksOn(tool, day);
    const [booking] = bookings;
    if (bookings.length > 1 || (booking && blocks.length > 0))
      return setAsked({ tool, day, bookings, blocks });
    if (booking) return void navigate(paths.ofId(paths.myBooking, booking.id));
    if (blocks.length > 0) return free(tool.id, day);
    if (day >= localDate(tool.timeZone, Date.now())) setStart({ toolId: tool.id, day });
  };
  const daysOf = (tool: Tool) => (
    <CalendarDays
      tool={tool}
      days={days}
      bookings={booked?.rows ?? []}
      start={start}
      reached={reached}
      onDay={choose}
      onDrag={take}
    />
  );

  if (found.error && tools.length === 0)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  const back = { to: paths.myTools, label: 'My tools' };
  const intro = 'Who has your tools when, and on which days you keep them.';
  return (
    <>
      <PageHeader title="Calendar" back={back} intro={intro} />
      {found.data && tools.length === 0 ? (
        <EmptyState icon={IconCalendar} title="You have not listed a tool yet">
          Once you have, its bookings are here.
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between" mb="sm">
            <Group gap="xs">
              <ActionIcon
                variant="default"
                size={44}
                aria-label="Previous month"
                onClick={() => setMonth(laterMonth(month, -1))}
              >
                <IconChevronLeft size={20} aria-hidden />
              </ActionIcon>
              <Title order={2} fz="lg" miw={150} ta="center" aria-live="polite">
                {formatMonth(`${month}-01T12:00`)}
              </Title>
              <ActionIcon
                variant="default"
                size={44}
                aria-label="Next month"
                onClick={() => setMonth(laterMonth(month, 1))}
              >
                <IconChevronRight size={20} aria-hidden />
              </ActionIcon>
            </Group>
            {!isWide && (
              <NativeSelect
                aria-label="Tool"
                value={shown[0]?.id ?? ''}
                data={tools.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={({ currentTarget }) => {
                  setStart(null);
                  setTool(currentTarget.value);
                }}
              />
            )}
          </Group>
          <Group gap="xs" mb="sm" wrap="nowrap" align="flex-start" className={classes.hint}>
            <Text role="status" size="sm" c="dimmed">
              {error
                ? errorMessage(error)
                : start
                  ? `From ${formatDay(start.day)} until …: choose the last day to block`
                  : `Choose the first and the last day to block${isWide ? ', or drag over them' : ''}. Choose a blocked day to free its whole range.`}
            </Text>
            {start && (
              <Button flex="none" size="xs" variant="default" onClick={() => setStart(null)}>
                Cancel
              </Button>
            )}
          </Group>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the days inside. */}
          <div
            ref={keys.frame}
            className={isWide ? classes.table : classes.month}
            style={{ '--days': days.length, '--starts-on': startsOn + 1 } as CSSProperties}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setStart(null);
              keys.onKeyDown(event);
            }}
          >
            {shown.map((tool) => (
              <fieldset key={tool.id} className={classes.row}>
                <legend className={classes.name}>{tool.name}</legend>
                {!isWide && (
                  <div className={classes.weekdays} aria-hidden>
                    {weekdays.map((day) => (
                      <span key={day}>{weekdayName(day).slice(0, 2)}</span>
                    ))}
                  </div>
                )}
                <div className={classes.days}>{daysOf(tool)}</div>
              </fieldset>
            ))}
          </div>
          <Group gap="md" mt="md" component="ul" className={classes.key}>
            <li data-state="booked">booked</li>
            <li data-state="requested">requested, waiting for you</li>
            <li data-state="blocked">blocked</li>
          </Group>
          <DayDialog
            asked={asked}
            onClose={() => setAsked(null)}
            onFree={({ tool, day }) => free(tool.id, day)}
          />
          {found.hasNextPage && (
            <Center mt="md">
              <Button variant="default" onClick={() => void found.fetchNextPage()}>
                Show more tools
              </Button>
            </Center>
          )}
        </>
      )}
    </>
  );
}
