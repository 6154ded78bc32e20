import type { BookingProblem } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { usePermission } from '../../api/use-permission.ts';
import { momentInWords } from '../../rental/format-instant.ts';
import { useListFilters } from '../../ui/list-filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import classes from './booking-lists.module.css';
import { fullName } from './booking-words.ts';
import { useAllProblemsInfiniteQuery } from './bookings-api.ts';
import { SettleProblem } from './problems.tsx';

function reporterInWords({ by, renter, owner }: BookingProblem) {
  if (by === 'system') return 'Opened by LendTools: the owner’s account is disabled';
  return by === 'renter'
    ? `Reported by the renter, ${fullName(renter)}`
    : `Reported by the owner, ${fullName(owner)}`;
}

function ProblemCard({ problem }: { problem: BookingProblem }) {
  const { id, bookingId, booking_code, name, renter, owner, text, openedAt } = problem;
  const { settledAt, settledBy, note } = problem;
  const maySettle = usePermission('moderate');
  return (
    <li className={classes.card} style={{ overflowWrap: 'anywhere' }}>
      <Title order={2} fz="1.0625rem">
        <Anchor component={Link} to={paths.ofId(paths.adminBooking, bookingId)} inherit>
          {name}, {booking_code}
        </Anchor>
      </Title>
      <Text size="sm" c="dimmed">
        {reporterInWords(problem)} {momentInWords(openedAt)}. {fullName(renter)} rents from{' '}
        {fullName(owner)}.
      </Text>
      {text && <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>}
      {settledAt ? (
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          Settled {momentInWords(settledAt)}
          {settledBy && fullName(settledBy).trim() && ` by ${fullName(settledBy)}`}: “{note}”
        </Text>
      ) : (
        maySettle && (
          <Group>
            <SettleProblem problemId={id} bookingId={bookingId} name={`${name}, ${booking_code}`} />
          </Group>
        )
      )}
    </li>
  );
}

const order = { open: 'The longest open', settled: 'The newest' };

export default function ProblemsPage() {
  const { filters, set } = useListFilters(['state']);
  const state = filters.state === 'settled' ? 'settled' : 'open';
  const pages = useAllProblemsInfiniteQuery(state);
  const open = pages.data?.pages[0]?.open;
  return (
    <>
      <PageHeader
        title="Problems"
        intro={open === undefined ? undefined : `${open} open. ${order[state]} first.`}
      />
      <SegmentedControl
        mb="md"
        aria-label="Which problems"
        data={[
          { value: 'open', label: 'Open' },
          { value: 'settled', label: 'Settled' },
        ]}
        value={state}
        onChange={(value) => set('state', value === 'open' ? '' : value)}
      />
      <PagedTable
        label="Problems"
        pages={pages}
        rowsOf={({ problems }) => problems}
        columns={[]}
        rowKey={({ id }) => id}
        cards={(rows) => (
          <Stack component="ul" className={classes.cards}>
            {rows.map((problem) => (
              <ProblemCard key={problem.id} problem={problem} />
            ))}
          </Stack>
        )}
        empty={
          <EmptyState
            icon={IconCircleCheck}
            title={state === 'open' ? 'No open problems' : 'No settled problems'}
          >
            {state === 'open'
              ? 'What renters and owners report about their rentals appears here.'
              : 'Problems move here once you have settled them.'}
          </EmptyState>
        }
      />
    </>
  );
}
