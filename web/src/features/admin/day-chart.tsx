import { Text } from '@mantine/core';
import classes from './admin.module.css';

interface DayChartProps {
  /** What is counted, for those who hear it. */
  label: string;
  days: { day: string; count: number }[];
}

const height = 100;
const step = 10;

const shortDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const inWords = (day: string | undefined) => (day ? shortDay.format(Date.parse(day)) : '');

/** One bar a day. An own drawing: a chart library would weigh more than the rest of the screen. */
export function DayChart({ label, days }: DayChartProps) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const sum = days.reduce((total, { count }) => total + count, 0);
  return (
    <>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${sum} in the last ${days.length} days, at most ${most} a day`}
      >
        {days.map(({ day, count }, index) => {
          const tall = Math.max(2, (count / most) * height);
          return (
            <rect
              key={day}
              className={count > 0 ? classes.bar : classes.base}
              x={index * step + 1}
              y={height - tall}
              width={step - 2}
              height={tall}
            />
          );
        })}
      </svg>
      <Text component="div" size="xs" c="dimmed" className={classes.days} aria-hidden>
        <span>{inWords(days[0]?.day)}</span>
        <span>{inWords(days.at(-1)?.day)}</span>
      </Text>
    </>
  );
}
