import { laterDay } from '@lendtools/contracts/local-time';
import { furthestDays, longestDays } from '@lendtools/contracts/rental-period';
import { useState } from 'react';
import { localDay } from '../../rental/format.ts';
import { RangeCalendar } from '../../ui/when/range-calendar.tsx';

interface WhenCalendarProps {
  start: string;
  end: string;
  onChoose: (start: string, end: string) => void;
}

/** The calendar of the date filter. It starts a search only once both days are chosen. */
export default function WhenCalendar({ start, end, onChoose }: WhenCalendarProps) {
  // Today in the reader's time zone; a tool's page uses the tool's time zone.
  const today = localDay();
  const [first, setFirst] = useState('');
  const pick = (day: string) => (first && day >= first ? onChoose(first, day) : setFirst(day));
  return (
    <RangeCalendar
      start={first || start}
      end={first ? '' : end}
      picking={first ? 'end' : 'start'}
      min={today}
      max={first ? laterDay(first, longestDays) : laterDay(today, furthestDays)}
      onPick={pick}
    />
  );
}
