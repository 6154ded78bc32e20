import { UnstyledButton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { formatDay, laterDay, localDay } from '../../lib/format.ts';
import classes from './when-chips.module.css';

/** From a day to the day on which it goes back; `name` is what a person calls them. */
interface When {
  name: string;
  start: string;
  end: string;
}

const saturday = 6;

/** Today, tomorrow and the weekend that comes, or the one that it is. */
export function usualTimes(now: string): When[] {
  const weekday = new Date(`${now}T00:00:00Z`).getUTCDay();
  const weekend = weekday === 0 ? now : laterDay(now, saturday - weekday);
  return [
    { name: 'Today', start: now, end: laterDay(now, 1) },
    { name: 'Tomorrow', start: laterDay(now, 1), end: laterDay(now, 2) },
    { name: 'This weekend', start: weekend, end: laterDay(weekend, weekday === 0 ? 1 : 2) },
  ];
}

/** The dates that the address carries; every tool opens with them filled in. */
export function useWhen() {
  const [params, setParams] = useSearchParams();
  const start = params.get('start_date') ?? '';
  const end = params.get('end_date') ?? '';
  const setWhen = (when: { start: string; end: string } | null) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete('start_date');
        next.delete('end_date');
        if (when) {
          next.set('start_date', when.start);
          next.set('end_date', when.end);
        }
        return next;
      },
      { preventScrollReset: true },
    );
  return { start, end, setWhen };
}

/** When it is needed, in one tap. */
export function WhenChips() {
  const { start, end, setWhen } = useWhen();
  // What day it is at a tool's place is for its own page to say.
  const today = localDay();
  const usual = usualTimes(today);
  const chosen = usual.find((when) => when.start === start && when.end === end);
  return (
    <fieldset className={classes.when}>
      <legend className={classes.legend}>When do you need it?</legend>
      <UnstyledButton className={classes.chip} aria-pressed={!start} onClick={() => setWhen(null)}>
        Any day
      </UnstyledButton>
      {usual.map((when) => (
        <UnstyledButton
          key={when.name}
          className={classes.chip}
          aria-pressed={when === chosen}
          onClick={() => setWhen(when)}
        >
          {when.name}
        </UnstyledButton>
      ))}
      <label className={classes.chip} data-chosen={(Boolean(start) && !chosen) || undefined}>
        <IconCalendar size={16} aria-hidden />
        <span>{start && !chosen ? formatDay(start) : 'Pick a day'}</span>
        <input
          type="date"
          aria-label="Pick a day"
          className={classes.date}
          min={today}
          value={start}
          onChange={({ currentTarget: { value } }) =>
            setWhen(value ? { start: value, end: laterDay(value, 1) } : null)
          }
          onClick={({ currentTarget }) => currentTarget.showPicker?.()}
        />
      </label>
    </fieldset>
  );
}
