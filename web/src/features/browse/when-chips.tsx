import { laterDay } from '@lendtools/contracts/local-time';
import { UnstyledButton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, useId, useRef, useState } from 'react';
import { whenNear } from '../../lib/when-near.ts';
import { localDay } from '../../rental/format.ts';
import { Part } from '../../ui/part.tsx';
import type { FilterProps } from './filter-panel.tsx';
import classes from './when-chips.module.css';

function loadCalendar() {
  return import('./when-calendar.tsx');
}

const WhenCalendar = lazy(loadCalendar);

interface DatePreset {
  name: string;
  start: string;
  end: string;
}

const saturday = 6;

export function usualTimes(now: string): DatePreset[] {
  const weekday = new Date(`${now}T00:00:00Z`).getUTCDay();
  const weekend = weekday === 0 ? now : laterDay(now, saturday - weekday);
  return [
    { name: 'Today', start: now, end: laterDay(now, 1) },
    { name: 'Tomorrow', start: laterDay(now, 1), end: laterDay(now, 2) },
    { name: 'This weekend', start: weekend, end: laterDay(weekend, weekday === 0 ? 1 : 2) },
  ];
}

export function WhenChips({ filters, onChange }: FilterProps) {
  const { start_date, end_date } = filters;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const usual = usualTimes(localDay());
  const chosen = usual.find((when) => when.start === start_date && when.end === end_date);
  const isOther = Boolean(start_date) && !chosen;
  const choose = (start: string, end: string) => {
    setOpen(false);
    onChange({ start_date: start, end_date: end });
  };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <fieldset className={classes.when}>
        <legend className={classes.legend}>When do you need it?</legend>
        <UnstyledButton
          className={classes.chip}
          aria-pressed={!start_date}
          onClick={() => choose('', '')}
        >
          Any day
        </UnstyledButton>
        {usual.map((when) => (
          <UnstyledButton
            key={when.name}
            className={classes.chip}
            aria-pressed={when === chosen}
            onClick={() => choose(when.start, when.end)}
          >
            {when.name}
          </UnstyledButton>
        ))}
        <UnstyledButton
          {...whenNear(loadCalendar)}
          ref={button}
          className={classes.chip}
          data-chosen={isOther || undefined}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendar size={16} aria-hidden />
          Pick days
        </UnstyledButton>
      </fieldset>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes it from each day inside.
        <div
          id={id}
          className={classes.calendar}
          onKeyDown={({ key }) => {
            if (key === 'Escape') close();
          }}
        >
          <Part waiting={<div className={classes.waiting} />}>
            <WhenCalendar
              start={start_date}
              end={end_date}
              onChoose={(start, end) => {
                close();
                choose(start, end);
              }}
            />
          </Part>
        </div>
      )}
    </>
  );
}
