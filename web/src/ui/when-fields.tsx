import type { Tool } from '@lendtools/contracts';
import { laterDay } from '@lendtools/contracts/local-time';
import { furthestDays, longestDays } from '@lendtools/contracts/rental-period';
import { InputBase, Popover, SimpleGrid, Skeleton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, useId, useMemo, useRef, useState } from 'react';
import type { BookingDraft } from '../lib/booking-draft.ts';
import {
  type DraftErrors,
  endTimes,
  firstDay,
  startTimes,
  suggestTimes,
} from '../lib/booking-rules.ts';
import { canEnd, canStart, moveDays, moveStart } from '../lib/choosing-when.ts';
import { formatDay } from '../lib/format.ts';
import { dayInWords, isTaken, type ToolCalendar } from '../lib/tool-calendar.ts';
import { whenNear } from '../lib/when-near.ts';
import { Part } from './part.tsx';
import { TimeSelect } from './time-select.tsx';

const loadCalendar = async () => ({
  default: (await import('./range-calendar.tsx')).RangeCalendar,
});
const RangeCalendar = lazy(loadCalendar);

const wholeRow = { gridColumn: '1 / -1' };

type End = 'start' | 'end';

interface WhenFieldsProps {
  tool: Tool;
  draft: BookingDraft;
  errors: DraftErrors;
  withTimes: boolean;
  calendar: ToolCalendar;
  /** Two months are shown as a popup over the content below, one month inline. */
  months?: 1 | 2;
  /** Called with the first day after the months on the screen. */
  onLook?: (day: string) => void;
  /** Whether the calendar is open at first; it stays closed if both days are chosen already. */
  opened?: boolean;
  onChange: (draft: BookingDraft) => void;
}

/** The dates, in one calendar, and the times, with the usual ones filled in. */
export function WhenFields({
  tool,
  draft,
  errors,
  withTimes,
  calendar,
  months = 1,
  onLook,
  onChange,
  ...props
}: WhenFieldsProps) {
  const { start_date, end_date } = draft;
  const isChosen = Boolean(start_date && end_date);
  const [picking, setPicking] = useState<End | null>(props.opened && !isChosen ? 'start' : null);
  const calendarId = useId();
  const starting = useRef<HTMLButtonElement>(null);
  const returning = useRef<HTMLButtonElement>(null);
  const first = firstDay(tool);
  const [hasChosenTime, setHasChosenTime] = useState(false);
  const changeDays = (next: BookingDraft) => {
    const fill = hasChosenTime ? suggestTimes : moveDays;
    onChange(withTimes ? fill(tool, next, calendar) : next);
  };

  const choosing = { draft, withTimes, calendar };
  /** Picking a day before the start sets a new start. */
  const isStart = (day: string) => picking === 'start' || day < start_date;
  const isPossible = useOncePerDay(
    (day) => (isStart(day) ? canStart(tool, day, choosing) : canEnd(tool, day, choosing)),
    [tool, calendar, withTimes, picking, start_date, draft.quantity],
  );

  const stateOf = (day: string) => {
    const known = calendar.dayOf(day);
    const isFree = known?.why === null && known.free >= draft.quantity;
    return isFree && isStart(day) && !isPossible(day)
      ? 'not free long enough'
      : dayInWords(known, tool.quantity);
  };

  const pick = (day: string) => {
    if (picking === 'end' && start_date && day >= start_date) {
      changeDays({ ...draft, end_date: day });
      setPicking(null);
      // The calendar unmounts, so move the focus to a field that stays.
      returning.current?.focus();
      return;
    }
    // Clear an end date that no longer fits the new start.
    const next = { ...choosing, draft: { ...draft, start_date: day } };
    const fits =
      end_date >= day && end_date <= laterDay(day, longestDays) && canEnd(tool, end_date, next);
    changeDays({ ...draft, start_date: day, end_date: fits ? end_date : '' });
    setPicking('end');
  };
  const changeStartTime = (start_time: string) => {
    setHasChosenTime(true);
    onChange(suggestTimes(tool, moveStart(tool, draft, start_time), calendar));
  };
  const toggle = (end: End) =>
    setPicking(picking === end ? null : end === 'end' && !start_date ? 'start' : end);
  const field = (end: End) => ({
    value: draft[`${end}_date`],
    error: errors[`${end}_date`],
    isOpen: picking === end,
    calendarId,
    onClick: () => toggle(end),
  });

  const closeByEscape = ({ key }: React.KeyboardEvent) => {
    if (key !== 'Escape') return;
    (picking === 'end' ? returning : starting).current?.focus();
    setPicking(null);
  };
  const days = picking && (
    <div id={calendarId}>
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
          stateOf={stateOf}
          isTaken={(day) => !isPossible(day) && isTaken(calendar.dayOf(day), draft.quantity)}
          isPossible={isPossible}
          onLook={onLook}
          onPick={pick}
        />
      </Part>
    </div>
  );

  return (
    <SimpleGrid cols={2} spacing="sm" verticalSpacing="md">
      <Popover
        opened={picking !== null && months === 2}
        onDismiss={() => setPicking(null)}
        closeOnEscape={false}
        position="bottom-end"
        width={640}
        radius="lg"
        shadow="md"
        withRoles={false}
        withinPortal={false}
      >
        <Popover.Target>
          <SimpleGrid cols={2} spacing="sm" style={wholeRow}>
            <DayButton {...field('start')} label="Start date" buttonRef={starting} />
            <DayButton {...field('end')} label="Returning date" buttonRef={returning} />
          </SimpleGrid>
        </Popover.Target>
        <Popover.Dropdown p={0} bd={0} onKeyDown={closeByEscape}>
          {months === 2 && days}
        </Popover.Dropdown>
      </Popover>
      {months === 1 && days && <div style={wholeRow}>{days}</div>}
      {withTimes && (
        <>
          <TimeSelect
            label="Start time"
            value={draft.start_time}
            times={startTimes(tool, start_date, calendar)}
            error={errors.start_time}
            onChange={changeStartTime}
          />
          <TimeSelect
            label="Returning time"
            value={draft.end_time}
            times={endTimes(tool, draft, calendar)}
            error={errors.end_time}
            onChange={(end_time) => onChange({ ...draft, end_time })}
          />
        </>
      )}
    </SimpleGrid>
  );
}

/** Caches the result per day, because the calendar calls this for each day on every mouse move. */
function useOncePerDay(ask: (day: string) => boolean, changes: unknown[]) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results depend on these values.
  const known = useMemo(() => new Map<string, boolean>(), changes);
  return (day: string): boolean => {
    const answer = known.get(day) ?? ask(day);
    known.set(day, answer);
    return answer;
  };
}

interface DayButtonProps {
  label: string;
  value: string;
  error?: string;
  isOpen: boolean;
  calendarId: string;
  buttonRef?: React.Ref<HTMLButtonElement>;
  onClick: () => void;
}

function DayButton({
  label,
  value,
  error,
  isOpen,
  calendarId,
  buttonRef,
  onClick,
}: DayButtonProps) {
  const id = useId();
  return (
    <InputBase
      component="button"
      type="button"
      id={id}
      ref={buttonRef}
      label={label}
      withAsterisk
      error={error}
      size="md"
      pointer
      leftSection={<IconCalendar size={18} aria-hidden />}
      {...whenNear(loadCalendar)}
      onClick={onClick}
      aria-labelledby={`${id}-label ${id}-day`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? calendarId : undefined}
    >
      <span
        id={`${id}-day`}
        style={value ? undefined : { color: 'var(--mantine-color-placeholder)' }}
      >
        {value ? formatDay(value) : 'Pick a day'}
      </span>
    </InputBase>
  );
}
