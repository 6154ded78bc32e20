import type { MoneyMonth } from '@lendtools/contracts';
import { monthInWords } from '@lendtools/contracts/statement-words';
import { Skeleton, Text, Title } from '@mantine/core';
import { formatCents } from '../../rental/format.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import classes from './admin.module.css';
import { useMoneyQuery } from './work-api.ts';

type Flow = Exclude<keyof MoneyMonth, 'month'>;

const flows: [flow: Flow, title: string][] = [
  ['chargedCents', 'Charged'],
  ['refundedCents', 'Refunded'],
  ['paidOutCents', 'Paid out to owners'],
  ['commissionCents', 'Commission'],
];
const shownMonths = 6;

/** `12 % more`, compared with the month before; undefined if that had none. */
function changeInWords(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return 'as much';
  return `${Math.abs(percent)} % ${percent > 0 ? 'more' : 'less'}`;
}

function nameOf(month: string): string {
  return monthInWords(month).split(' ')[0] ?? '';
}

/** Bars of a few months; the months' figures are its text. */
function MonthBars({ title, months, flow }: { title: string; months: MoneyMonth[]; flow: Flow }) {
  const most = Math.max(1, ...months.map((month) => month[flow]));
  const words = months.map((month) => `${nameOf(month.month)} ${formatCents(month[flow])}`);
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${months.length * 10} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${title} by month: ${words.join(', ')}`}
    >
      {months.map((month, index) => {
        const tall = Math.max(2, (Math.max(0, month[flow]) / most) * 100);
        return (
          <rect
            key={month.month}
            className={month[flow] > 0 ? classes.bar : classes.base}
            x={index * 10 + 1}
            y={100 - tall}
            width={8}
            height={tall}
          >
            <title>{words[index]}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function FlowTile({ title, flow, months }: { title: string; flow: Flow; months: MoneyMonth[] }) {
  const [current, last, before] = months;
  const change = last && before && changeInWords(last[flow], before[flow]);
  const oldestFirst = months.slice(0, shownMonths).toReversed();
  return (
    <section className={classes.tile} aria-label={title}>
      <Text c="dimmed">{title}</Text>
      <span className={`${classes.figure} tabular`}>{formatCents(current?.[flow] ?? 0)}</span>
      <Text size="sm" c="dimmed" className="tabular">
        in {nameOf(current?.month ?? '')} so far
      </Text>
      <MonthBars title={title} months={oldestFirst} flow={flow} />
      {last && (
        <Text size="sm" className="tabular">
          {nameOf(last.month)}: {formatCents(last[flow])}
          {before && change && (
            <Text span c="dimmed">
              , {change} {change === 'as much' ? 'as' : 'than'} in {nameOf(before.month)}
            </Text>
          )}
        </Text>
      )}
    </section>
  );
}

export function MoneyMonths() {
  const { data, error, refetch } = useMoneyQuery(shownMonths + 1);
  return (
    <section aria-labelledby="money">
      <Title order={2} fz="h3" mt="xl" mb="xs" id="money">
        Money by month
      </Title>
      <Text c="dimmed" mb="sm">
        By the ledger. Months are in UTC.
      </Text>
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={210} radius={16} aria-label="Loading the months" />}
      {data && (
        <div className={classes.moneyTiles}>
          {flows.map(([flow, title]) => (
            <FlowTile key={flow} flow={flow} title={title} months={data} />
          ))}
        </div>
      )}
    </section>
  );
}
