import { Calendar } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useState } from 'react';
import { formatDay, formatLongDay, formatMonth, localDay } from '../lib/format.ts';
import classes from './range-calendar.module.css';

interface RangeCalendarProps {
  /** `YYYY-MM-DD`, or empty where nothing is chosen yet. */
  start: string;
  end: string;
  /** Which of the two the next day is. */
  picking: 'start' | 'end';
  min: string;
  max: string;
  onPick: (day: string) => void;
}

/** One calendar for both ends of a rental: the days between them are one stretch. */
export function RangeCalendar({ start, end, picking, min, max, onPick }: RangeCalendarProps) {
  const [pointed, setPointed] = useState('');
  const [month, setMonth] = useState(start || min);
  const last = picking === 'end' && pointed > start ? pointed : end;
  const isWithin = (day: string) => Boolean(start && last) && day >= start && day <= last;
  const name = (day: string) => {
    if (day === start) return `${formatLongDay(day)}, start date`;
    if (day === end) return `${formatLongDay(day)}, returning date`;
    const isBetween = start && day > start && day < end;
    return isBetween ? `${formatLongDay(day)}, part of your rental` : formatLongDay(day);
  };
  return (
    <div className={classes.calendar}>
      <p className={classes.hint} role="status">
        {picking === 'start' ? 'Pick your start date' : `From ${formatDay(start)} until …`}
      </p>
      <Calendar
        minDate={min}
        maxDate={max}
        date={month}
        onDateChange={setMonth}
        maxLevel="month"
        firstDayOfWeek={0}
        // Red is kept for errors, so weekends look like other days.
        weekendDays={[]}
        highlightToday
        hideOutsideDates
        withCellSpacing={false}
        fullWidth
        size="md"
        ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
        // Said when it changes: the press that changes it is on a button that stays as it is.
        attributes={{
          calendarHeaderLevel: { 'aria-live': 'polite' },
          month: { 'aria-label': formatMonth(`${month}T12:00`) },
        }}
        getDayAriaLabel={name}
        getDayProps={(day) => ({
          selected: day === start || (day === end && picking === 'start') || day === last,
          inRange: isWithin(day),
          firstInRange: Boolean(last) && day === start,
          lastInRange: Boolean(start) && day === last,
          'aria-current': day === localDay() ? 'date' : undefined,
          'aria-pressed': day === start || day === end,
          onMouseEnter: () => setPointed(day),
          onClick: () => onPick(day),
        })}
        onMouseLeave={() => setPointed('')}
      />
    </div>
  );
}
