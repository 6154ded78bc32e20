import type { Work, WorkKind } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import type { Permission } from '@lendtools/contracts/permissions';
import { Alert, Button, Skeleton, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCashOff,
  IconCircleCheck,
  IconCreditCardRefund,
  IconFlag,
  IconGavel,
  IconMailX,
  type IconProps,
  IconShieldExclamation,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { errorMessage, problemOf } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { isPermitted } from '../../api/use-permission.ts';
import { useNow } from '../../lib/use-now.ts';
import { formatMoment } from '../../rental/format-instant.ts';
import classes from './admin.module.css';
import { DeadLetters } from './dead-letters.tsx';
import { useAllWork } from './work-api.ts';

interface Words {
  /** What the reader's role must allow to do this work. */
  permission: Permission;
  icon: ComponentType<IconProps>;
  one: string;
  many: string;
  /** What happens at the deadline. */
  due?: string;
  action: string;
  to: string;
}

/** The most urgent first. */
const kinds: Record<Exclude<WorkKind, 'dead-letter'>, Words> = {
  dispute: {
    permission: 'money',
    icon: IconGavel,
    one: 'dispute to answer',
    many: 'disputes to answer',
    due: 'Evidence due',
    action: 'Answer',
    to: paths.disputes,
  },
  'fraud-warning': {
    permission: 'money',
    icon: IconShieldExclamation,
    one: 'fraud warning',
    many: 'fraud warnings',
    action: 'Refund or cancel',
    to: paths.disputes,
  },
  report: {
    permission: 'moderate',
    icon: IconFlag,
    one: 'report',
    many: 'reports',
    action: 'Decide',
    to: paths.reports,
  },
  problem: {
    permission: 'moderate',
    icon: IconAlertTriangle,
    one: 'reported problem',
    many: 'reported problems',
    action: 'Settle',
    to: paths.problems,
  },
  refund: {
    permission: 'money',
    icon: IconCreditCardRefund,
    one: 'failed refund',
    many: 'failed refunds',
    action: 'See reasons',
    to: `${paths.payouts}#failed-refunds`,
  },
  transfer: {
    permission: 'money',
    icon: IconCashOff,
    one: 'stuck transfer',
    many: 'stuck transfers',
    action: 'Try again',
    to: `${paths.payouts}#stuck`,
  },
  return: {
    permission: 'moderate',
    icon: IconArrowBackUp,
    one: 'unconfirmed return',
    many: 'unconfirmed returns',
    due: 'First completes by itself',
    action: 'Check',
    to: `${paths.allBookings}?overdue=true`,
  },
};
const order = Object.keys(kinds) as (keyof typeof kinds)[];

function deadlineInWords({ since, dueAt }: Work, due: string | undefined, nowMs: number) {
  if (dueAt && due)
    return Date.parse(dueAt) < nowMs
      ? `${due} ${formatMoment(dueAt)}, overdue`
      : `${due} ${formatMoment(dueAt)}`;
  return since && `Oldest since ${formatMoment(since)}`;
}

function WorkCard({ work, words, nowMs }: { work: Work; words: Words; nowMs: number }) {
  const { icon: Icon, one, many, due, action, to } = words;
  const isLate = work.dueAt !== null && Date.parse(work.dueAt) < nowMs;
  const title = work.count === 1 ? one : many;
  return (
    <li className={classes.work} data-late={isLate || undefined}>
      <Icon size={22} stroke={1.7} aria-hidden className={classes.workIcon} />
      <div className={classes.workWords}>
        <Text fw={650}>
          <span className="tabular">{work.count}</span> {title}
        </Text>
        <Text size="sm" c={isLate ? 'var(--mantine-color-error)' : 'dimmed'}>
          {deadlineInWords(work, due, nowMs)}
        </Text>
      </div>
      <Button component={Link} to={to} size="sm" aria-label={`${action}: ${many}`}>
        {action}
      </Button>
    </li>
  );
}

function nothingInWords(titles: string[]): string {
  const last = titles.at(-1) ?? '';
  return titles.length < 2 ? last : `${titles.slice(0, -1).join(', ')} or ${last}`;
}

/** What waits for an admin, each with its count, its deadline and the way to it. */
export function WorkQueue() {
  const { work, isLoading, missing, error, retry } = useAllWork();
  const nowMs = useNow();
  const user = useUser();
  const find = (kind: WorkKind) => work.find((one) => one.kind === kind);
  const mine = order.filter((kind) => isPermitted(user, kinds[kind].permission));
  const waiting = mine.filter((kind) => (find(kind)?.count ?? 0) > 0);
  const quiet = mine.filter((kind) => find(kind)?.count === 0);
  const letters = find('dead-letter');
  const hasLetters = letters !== undefined && letters.count !== 0;
  const { requestId } = problemOf(error);
  return (
    <section aria-labelledby="work" className={classes.queue}>
      <Title order={2} fz="h3" mb="sm" id="work">
        Waiting for you
      </Title>
      {missing.length > 0 && (
        <Alert color="red" mb="sm" title={`No answer from ${missing.join(', ')}`} role="alert">
          {errorMessage(error)} {requestId && `Request ${requestId}. `}
          <Button variant="light" size="compact-sm" ml={4} onClick={retry}>
            Try again
          </Button>
        </Alert>
      )}
      {isLoading ? (
        <Skeleton h={76} radius={16} aria-label="Loading what waits" />
      ) : (
        <>
          {(waiting.length > 0 || hasLetters) && (
            <ul className={classes.works}>
              {waiting.map((kind) => (
                <WorkCard key={kind} work={find(kind) as Work} words={kinds[kind]} nowMs={nowMs} />
              ))}
              {hasLetters && (
                <li className={classes.work}>
                  <IconMailX size={22} stroke={1.7} aria-hidden className={classes.workIcon} />
                  <div className={classes.workWords}>
                    <Text fw={650}>
                      {letters.count === null
                        ? 'Dead letters can’t be counted'
                        : `${letters.count} dead ${letters.count === 1 ? 'letter' : 'letters'}`}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {letters.count === null
                        ? 'The message broker cannot be reached.'
                        : 'Events that no service could take'}
                    </Text>
                  </div>
                  {letters.count !== null && <DeadLetters />}
                </li>
              )}
            </ul>
          )}
          {quiet.length > 0 && (
            <Text size="sm" c="dimmed" mt={waiting.length > 0 ? 'xs' : 0}>
              {waiting.length === 0 && (
                <IconCircleCheck size={16} aria-hidden style={{ verticalAlign: '-3px' }} />
              )}{' '}
              No {nothingInWords(quiet.map((kind) => kinds[kind].many))}.
            </Text>
          )}
        </>
      )}
    </section>
  );
}
