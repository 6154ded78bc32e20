import type { Tool } from '@lendtools/contracts';
import { laterDay } from '@lendtools/contracts/local-time';
import { longestDays } from '@lendtools/contracts/rental-period';
import { InputBase, Popover, SimpleGrid } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { whenNear } from '../../lib/when-near.ts';
import type { BookingDraft } from '../../rental/booking-draft.ts';
import {
  type DraftErrors,
  endTimes,
  startTimes,
  suggestTimes,
} from '../../rental/booking-rules.ts';
import { canEnd, moveDays, moveStart, type Selection } from '../../rental/choosing-when.ts';
import { formatDay } from '../../rental/format.ts';
import type { ToolCalendar } from '../../rental/tool-calendar.ts';
import { loadCalendar, type PeriodEnd, PickDays } from './pick-days.tsx';
import { TimeSelect } from './time-select.tsx';

const wholeRow = { gridColumn: '1 / -1' };

interface WhenFieldsProps {
  tool: Tool;
  draft: BookingDraft;
  errors: DraftErrors;
  withTimes: boolean;
  calendar: ToolCalendar;
  /** The number of months shown: two in a calendar that opens over the content, one in a calendar on the page. */
  months?: 1 | 2;
  /** Called when other months are shown, with the first day after them. */
  onLook?: (day: string) => void;
  /** Whether the calendar is open at first; it stays closed if both days are chosen already. */
  opened?: boolean;
  onChange: (draft: BookingDraft) => void;
}

/** Sets a new start day, and clears an end date that no longer fits. */
function withStartDay(tool: Tool, day: string, selection: Selection): BookingDraft {
  const { draft } = selection;
  const { end_date } = draft;
  const next = { ...draft, start_date: day };
  const fits =
    end_date >= day &&
    end_date <= laterDay(day, longestDays) &&
    canEnd(tool, end_date, { ...selection, draft: next });
  return { ...next, end_date: fits ? end_date : '' };
}

function usePicking(props: WhenFieldsProps) {
  const { tool, draft, withTimes, calendar, opened, onChange } = props;
  const { start_date, end_date } = draft;
  const isChosen = Boolean(start_date && end_date);
  const [picking, setPicking] = useState<PeriodEnd | null>(opened && !isChosen ? 'start' : null);
  const [hasChosenTime, setHasChosenTime] = useState(false);
  const [byKeyboard, setByKeyboard] = useState(false);
  const starting = useRef<HTMLButtonElement>(null);
  const returning = useRef<HTMLButtonElement>(null);

  const changeDays = (next: BookingDraft) => {
    const fill = hasChosenTime ? suggestTimes : moveDays;
    onChange(withTimes ? fill(tool, next, calendar) : next);
  };
  const pick = (day: string) => {
    if (picking === 'end' && start_date && day >= start_date) {
      changeDays({ ...draft, end_date: day });
      setPicking(null);
      // The calendar unmounts, so move the focus to a field that stays.
      returning.current?.focus();
      return;
    }
    changeDays(withStartDay(tool, day, { draft, withTimes, calendar }));
    setPicking('end');
  };
  const toggle = (end: PeriodEnd, withKey: boolean) => {
    setByKeyboard(withKey);
    setPicking(picking === end ? null : end === 'end' && !start_date ? 'start' : end);
  };
  const closeByEscape = ({ key }: React.KeyboardEvent) => {
    if (key !== 'Escape') return;
    (picking === 'end' ? returning : starting).current?.focus();
    setPicking(null);
  };
  const changeStartTime = (start_time: string) => {
    setHasChosenTime(true);
    onChange(suggestTimes(tool, moveStart(tool, draft, start_time), calendar));
  };
  const close = () => setPicking(null);
  return {
    picking,
    byKeyboard,
    starting,
    returning,
    pick,
    toggle,
    close,
    closeByEscape,
    changeStartTime,
  };
}

export function WhenFields(props: WhenFieldsProps) {
  const { tool, draft, errors, withTimes, calendar, months = 1, onLook, onChange } = props;
  const { picking, byKeyboard, ...picker } = usePicking(props);
  const calendarId = useId();
  const field = (end: PeriodEnd) => ({
    value: draft[`${end}_date`],
    error: errors[`${end}_date`],
    isOpen: picking === end,
    calendarId,
    onToggle: (withKey: boolean) => picker.toggle(end, withKey),
  });
  const days = picking && (
    <PickDays
      id={calendarId}
      tool={tool}
      draft={draft}
      withTimes={withTimes}
      calendar={calendar}
      picking={picking}
      months={months}
      autoFocus={byKeyboard}
      onLook={onLook}
      onPick={picker.pick}
    />
  );
  return (
    <SimpleGrid cols={2} spacing="sm" verticalSpacing="md">
      <Popover
        opened={picking !== null && months === 2}
        onDismiss={picker.close}
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
            <DayButton {...field('start')} label="Start date" buttonRef={picker.starting} />
            <DayButton {...field('end')} label="Returning date" buttonRef={picker.returning} />
          </SimpleGrid>
        </Popover.Target>
        <Popover.Dropdown p={0} bd={0} onKeyDown={picker.closeByEscape}>
          {months === 2 && days}
        </Popover.Dropdown>
      </Popover>
      {months === 1 && days && <div style={wholeRow}>{days}</div>}
      {withTimes && (
        <TimeFields
          tool={tool}
          draft={draft}
          errors={errors}
          calendar={calendar}
          onStart={picker.changeStartTime}
          onEnd={(end_time) => onChange({ ...draft, end_time })}
        />
      )}
    </SimpleGrid>
  );
}

interface TimeFieldsProps extends Pick<WhenFieldsProps, 'tool' | 'draft' | 'errors' | 'calendar'> {
  onStart: (time: string) => void;
  onEnd: (time: string) => void;
}

function TimeFields({ tool, draft, errors, calendar, onStart, onEnd }: TimeFieldsProps) {
  return (
    <>
      <TimeSelect
        label="Start time"
        value={draft.start_time}
        times={startTimes(tool, draft.start_date, calendar)}
        error={errors.start_time}
        onChange={onStart}
      />
      <TimeSelect
        label="Returning time"
        value={draft.end_time}
        times={endTimes(tool, draft, calendar)}
        error={errors.end_time}
        onChange={onEnd}
      />
    </>
  );
}

interface DayButtonProps {
  label: string;
  value: string;
  error?: string;
  isOpen: boolean;
  calendarId: string;
  buttonRef?: React.Ref<HTMLButtonElement>;
  onToggle: (withKey: boolean) => void;
}

/** Opens the calendar. A key also moves the focus into it: Enter, Space or the down arrow. */
function DayButton({
  label,
  value,
  error,
  isOpen,
  calendarId,
  buttonRef,
  onToggle,
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
      // A key's click has no position and counts no clicks.
      onClick={({ detail }) => onToggle(detail === 0)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' || isOpen) return;
        event.preventDefault();
        onToggle(true);
      }}
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
