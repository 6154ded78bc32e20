import { laterDay } from '@lendtools/contracts/local-time';
import { ActionIcon, Button, Group, NativeSelect, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { dateFormat } from '../../lib/lazy-format.ts';
import { formatMonth } from '../../rental/format.ts';
import { laterMonth } from './lent-days.ts';
import classes from './my-calendar.module.css';

const monthAndDay = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });
const withYear = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });

function daysInWords(first: string, last: string) {
  return `${monthAndDay(Date.parse(first))} – ${withYear(Date.parse(last))}`;
}

/** The months of a year before and after today, and the shown month. */
function monthsAround(today: string, shown: string) {
  const near = Array.from({ length: 25 }, (_, i) => laterMonth(today.slice(0, 7), i - 12));
  return [...new Set([...near, shown])]
    .sort()
    .map((month) => ({ value: month, label: formatMonth(`${month}-01T12:00`) }));
}

interface DaysBarProps {
  days: string[];
  today: string;
  show: (day: string) => void;
}

export function DaysBar({ days, today, show }: DaysBarProps) {
  const [first = today] = days;
  const month = first.slice(0, 7);
  const length = days.length === 7 ? 'week' : 'two weeks';
  const step = (by: number) => show(laterDay(first, by * days.length));
  return (
    <Group justify="space-between" gap="sm" mb="sm">
      <Group gap="xs" wrap="nowrap">
        <ActionIcon
          variant="default"
          size={44}
          aria-label={`Previous ${length}`}
          onClick={() => step(-1)}
        >
          <IconChevronLeft size={20} aria-hidden />
        </ActionIcon>
        <Title order={2} fz="lg" className={classes.shown} aria-live="polite">
          {daysInWords(first, days.at(-1) ?? first)}
        </Title>
        <ActionIcon
          variant="default"
          size={44}
          aria-label={`Next ${length}`}
          onClick={() => step(1)}
        >
          <IconChevronRight size={20} aria-hidden />
        </ActionIcon>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" disabled={first === today} onClick={() => show(today)}>
          Today
        </Button>
        <NativeSelect
          aria-label="Month"
          value={month}
          data={monthsAround(today, month)}
          onChange={({ currentTarget: { value } }) =>
            show(value === today.slice(0, 7) ? today : `${value}-01`)
          }
        />
      </Group>
    </Group>
  );
}
