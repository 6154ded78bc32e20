import { UnstyledButton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, useId, useState } from 'react';
import { whenNear } from '../../lib/when-near.ts';
import { datesInWords, localDay } from '../../rental/format.ts';
import { Part } from '../../ui/part.tsx';
import type { BrowseFilters } from './browse-filters.ts';
import refine from './refine.module.css';
import classes from './search-sheet.module.css';
import { usualDays } from './usual-days.ts';

function loadCalendar() {
  return import('./when-calendar.tsx');
}

const WhenCalendar = lazy(loadCalendar);

export type Days = Pick<BrowseFilters, 'start_date' | 'end_date'>;

interface DaysFieldProps {
  days: Days;
  onChange: (days: Days) => void;
  autoFocus: boolean;
}

/** Offers the usual days as buttons, and a calendar for others. */
export function DaysField({ days, onChange, autoFocus }: DaysFieldProps) {
  const { start_date, end_date } = days;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const usual = usualDays(localDay());
  const chosen = usual.find(({ start, end }) => start === start_date && end === end_date);
  const isOther = Boolean(start_date) && !chosen;
  const choose = (start: string, end: string) => {
    setOpen(false);
    onChange({ start_date: start, end_date: end });
  };
  return (
    <fieldset className={classes.part}>
      <legend className={classes.legend}>When do you need it?</legend>
      <div className={classes.choices}>
        <UnstyledButton
          className={refine.chip}
          aria-pressed={!start_date}
          data-autofocus={autoFocus || undefined}
          onClick={() => choose('', '')}
        >
          Any day
        </UnstyledButton>
        {usual.map((one) => (
          <UnstyledButton
            key={one.name}
            className={refine.chip}
            aria-pressed={one === chosen}
            onClick={() => choose(one.start, one.end)}
          >
            {one.name}
          </UnstyledButton>
        ))}
        <UnstyledButton
          {...whenNear(loadCalendar)}
          className={refine.chip}
          data-chosen={isOther || undefined}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendar size={16} aria-hidden />
          {isOther ? datesInWords(days) : 'Pick days'}
        </UnstyledButton>
      </div>
      {isOpen && (
        <div id={id} className={classes.calendar}>
          <Part waiting={<div className={classes.waiting} />}>
            <WhenCalendar start={start_date} end={end_date} onChoose={choose} />
          </Part>
        </div>
      )}
    </fieldset>
  );
}
