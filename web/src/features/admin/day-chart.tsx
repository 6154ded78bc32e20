import { Text } from '@mantine/core';
import classes from './admin.module.css';

interface DayChartProps {
  /** The plural of what is counted, such as `sign-ups`. */
  label: string;
  days: { day: string; count: number }[];
  format?: (count: number) => string;
}

const height = 100;
const step = 10;

const shortDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

function inWords(day: string | undefined) {
  return day ? shortDay.format(Date.parse(day)) : '';
}

function plain(count: number) {
  return count.toLocaleString('en-US');
}

/** Plain SVG, because a chart library would be larger than the rest of the page. */
export function DayChart({ label, days, format = plain }: DayChartProps) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const sum = days.reduce((total, { count }) => total + count, 0);
  const period = days.length === 1 ? 'last day' : `last ${days.length} days`;
  const middle = days[Math.floor((days.length - 1) / 2)];
  return (
    <>
      <Text size="sm" c="dimmed" className="tabular">
        {format(sum)} {label} in the {period}
      </Text>
      <div className={classes.plot}>
        <Text component="div" size="xs" c="dimmed" className={classes.counts} aria-hidden>
          <span>{format(most)}</span>
          <span>{format(0)}</span>
        </Text>
        <svg
          className={classes.chart}
          viewBox={`0 0 ${days.length * step} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${format(sum)} ${label} in the ${period}, at most ${format(most)} a day`}
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
              >
                <title>{`${inWords(day)}: ${format(count)}`}</title>
              </rect>
            );
          })}
        </svg>
        <Text component="div" size="xs" c="dimmed" className={classes.days} aria-hidden>
          <span>{inWords(days[0]?.day)}</span>
          {days.length > 2 && <span>{inWords(middle?.day)}</span>}
          <span>{inWords(days.at(-1)?.day)}</span>
        </Text>
      </div>
    </>
  );
}
