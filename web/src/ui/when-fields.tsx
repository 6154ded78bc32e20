import type { Tool } from '@lendtools/contracts';
import { InputBase, SimpleGrid, Skeleton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, useId, useRef, useState } from 'react';
import type { BookingDraft } from '../lib/booking-draft.ts';
import {
  type DraftErrors,
  endTimes,
  firstDay,
  startTimes,
  suggestTimes,
} from '../lib/booking-rules.ts';
import { formatDay, laterDay } from '../lib/format.ts';
import { whenNear } from '../lib/when-near.ts';
import { Part } from './part.tsx';
import { TimeSelect } from './time-select.tsx';

const loadCalendar = async () => ({
  default: (await import('./range-calendar.tsx')).RangeCalendar,
});
const RangeCalendar = lazy(loadCalendar);

/** The longest rental that the server takes, and how far ahead. */
const longestDays = 90;
const furthestDays = 365;

type End = 'start' | 'end';

interface WhenFieldsProps {
  tool: Tool;
  draft: BookingDraft;
  errors: DraftErrors;
  withTimes: boolean;
  /** Whether the calendar stands open at first, until both days are chosen. */
  opened?: boolean;
  onChange: (draft: BookingDraft) => void;
}

/** Dates and times in one place: two days in one calendar, and the times that most people choose filled in. */
export function WhenFields({
  tool,
  draft,
  errors,
  withTimes,
  onChange,
  ...props
}: WhenFieldsProps) {
  const { start_date, end_date } = draft;
  const isChosen = Boolean(start_date && end_date);
  const [picking, setPicking] = useState<End | null>(props.opened && !isChosen ? 'start' : null);
  const calendarId = useId();
  const returning = useRef<HTMLButtonElement>(null);
  const first = firstDay(tool);
  const change = (next: BookingDraft) => onChange(withTimes ? suggestTimes(tool, next) : next);

  const pick = (day: string) => {
    if (picking === 'end' && start_date && day >= start_date) {
      change({ ...draft, end_date: day });
      setPicking(null);
      // The calendar goes; the keyboard must not go with it.
      returning.current?.focus();
      return;
    }
    // A return that no longer fits would only have to be corrected by hand.
    const fits = end_date >= day && end_date <= laterDay(day, longestDays);
    change({ ...draft, start_date: day, end_date: fits ? end_date : '' });
    setPicking('end');
  };
  const changeStartTime = (start_time: string) => {
    const isWholeDays = draft.end_time === draft.start_time;
    change({ ...draft, start_time, end_time: isWholeDays ? start_time : draft.end_time });
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

  return (
    <SimpleGrid cols={2} spacing="sm" verticalSpacing="md">
      <DayButton {...field('start')} label="Start date" />
      <DayButton {...field('end')} label="Returning date" buttonRef={returning} />
      {picking && (
        <div id={calendarId} style={{ gridColumn: '1 / -1' }}>
          <Part waiting={<Skeleton h={360} />}>
            <RangeCalendar
              start={start_date}
              end={end_date}
              picking={picking}
              min={first}
              max={
                picking === 'end'
                  ? laterDay(start_date, longestDays)
                  : laterDay(first, furthestDays)
              }
              onPick={pick}
            />
          </Part>
        </div>
      )}
      {withTimes && (
        <>
          <TimeSelect
            label="Start time"
            value={draft.start_time}
            times={startTimes(tool, start_date)}
            error={errors.start_time}
            onChange={changeStartTime}
          />
          <TimeSelect
            label="Returning time"
            value={draft.end_time}
            times={endTimes(draft)}
            error={errors.end_time}
            onChange={(end_time) => onChange({ ...draft, end_time })}
          />
        </>
      )}
    </SimpleGrid>
  );
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

/** A field that shows its day and opens the calendar. */
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
