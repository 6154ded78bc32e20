import type { Report, ReportDecision } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { reportReasons } from '@lendtools/contracts/report-words';
import {
  Anchor,
  Button,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { counted } from '../../rental/format.ts';
import { momentInWords } from '../../rental/format-instant.ts';
import { useListFilters } from '../../ui/list-filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedRows } from '../../ui/paged-table.tsx';
import { toastError } from '../../ui/toast.ts';
import { DecideReport } from './decide-report.tsx';
import { PersonLink } from './person-link.tsx';
import classes from './reports.module.css';
import { useReportsInfiniteQuery, useTakeReportMutation } from './reports-api.ts';

function Author({ report: { about, author, others } }: { report: Report }) {
  return (
    <Text size="sm" c="dimmed">
      {about === 'person' ? 'About' : 'By'} <PersonLink person={author} underline="always" />
      {others.reports === 0 ? (
        ', about whom there is no other report.'
      ) : (
        <>
          , about whom there {others.reports === 1 ? 'is' : 'are'}{' '}
          <Anchor
            component={Link}
            to={`${paths.reports}?person=${author.id}`}
            inherit
            underline="always"
          >
            {counted(others.reports, 'other report')}
          </Anchor>
          , {others.decisionsAgainst} of which led to a decision against them.
        </>
      )}
    </Text>
  );
}

function Content({ report }: { report: Report }) {
  const { about, title, content, images, contentId, bookingId } = report;
  return (
    <div className={classes.content}>
      <Text size="sm" c="dimmed">
        As it was when it was reported:
      </Text>
      {about === 'tool' ? (
        <Anchor component={Link} to={paths.ofId(paths.tool, contentId)} fw={650}>
          {title}
        </Anchor>
      ) : (
        <Text fw={650}>{title}</Text>
      )}
      <Text className={classes.text} lineClamp={6}>
        {content}
      </Text>
      {bookingId && (
        <Anchor component={Link} to={paths.ofId(paths.adminBooking, bookingId)} size="sm">
          See the booking and its messages
        </Anchor>
      )}
      {images.length > 0 && (
        <div className={classes.pictures}>
          {images.map((image, nth) => (
            <img key={image} src={image} alt={`${nth + 1} of ${title}`} loading="lazy" />
          ))}
        </div>
      )}
      {about === 'tool' && images.length > 0 && (
        <Text size="sm" c="dimmed">
          A picture that the owner has replaced is deleted after a week.
        </Text>
      )}
    </div>
  );
}

const decided: Record<ReportDecision, string> = {
  dismiss: 'Dismissed',
  warn: 'Warned',
  hide: 'Hidden',
  disable: 'Account disabled',
};

function Decisions({ decisions }: Pick<Report, 'decisions'>) {
  return decisions.map(({ decision, reason, by, at }) => (
    <Text key={at} size="sm" className={classes.text}>
      <strong>{decided[decision]}</strong> {momentInWords(at)} by {by.first_name} {by.last_name}: “
      {reason}”
    </Text>
  ));
}

function Appeals({ appeals }: Pick<Report, 'appeals'>) {
  return appeals.map(({ side, text, at }) => (
    <Text key={side} size="sm" className={classes.text}>
      <strong>Appeal of the {side}</strong> {momentInWords(at)}: “{text}”
    </Text>
  ));
}

function Take({ report: { id, number, takenBy } }: { report: Report }) {
  const [take, { isLoading }] = useTakeReportMutation();
  const isMine = takenBy?.id === useUser()?.id;
  const change = async () => {
    const { error } = await take({ id, taken: !isMine });
    if (error) toastError(errorMessage(error));
  };
  const label = isMine ? 'Stop working on it' : takenBy ? 'Take it over' : 'Take it';
  return (
    <>
      <Button
        variant="default"
        size="sm"
        loading={isLoading}
        aria-label={`${label}: ${number}`}
        onClick={() => void change()}
      >
        {label}
      </Button>
      {takenBy && (
        <Text size="sm" c="dimmed">
          {isMine ? 'You work on it.' : `${takenBy.first_name} ${takenBy.last_name} works on it.`}
        </Text>
      )}
    </>
  );
}

function ReportCard({ report }: { report: Report }) {
  const { number, reason, text, reporter, reporterEmail, createdAt, waitingSince } = report;
  return (
    <li className={classes.card}>
      <Title order={2} fz="1.0625rem">
        {number}: {reportReasons[reason]}
      </Title>
      <Text size="sm" c="dimmed">
        Reported {momentInWords(createdAt)} by{' '}
        {reporter ? <PersonLink person={reporter} underline="always" /> : 'a visitor'}
        {reporterEmail && `, ${reporterEmail}`}.
      </Text>
      <Text className={classes.text}>{text}</Text>
      <Content report={report} />
      <Author report={report} />
      <Decisions decisions={report.decisions} />
      <Appeals appeals={report.appeals} />
      <Group gap="sm">
        <DecideReport report={report} />
        {waitingSince && <Take report={report} />}
      </Group>
    </li>
  );
}

const order = { open: 'The oldest first.', decided: 'The newest first.' };

function Waiting() {
  return (
    <Stack aria-hidden>
      <Skeleton h={240} radius={16} />
      <Skeleton h={240} radius={16} />
    </Stack>
  );
}

export default function ReportsPage() {
  const { filters, set } = useListFilters(['state', 'person']);
  const state = filters.state === 'decided' ? 'decided' : 'open';
  const { person } = filters;
  const pages = useReportsInfiniteQuery(person ? { authorId: person } : { state });
  const open = pages.data?.pages[0]?.open;
  return (
    <>
      <PageHeader
        title="Reports"
        intro={open === undefined || person ? undefined : `${open} to decide. ${order[state]}`}
      />
      {person ? (
        <Text mb="md">
          Only reports about one person, the newest first.{' '}
          <Anchor component={Link} to={paths.reports} inherit underline="always">
            See all
          </Anchor>
        </Text>
      ) : (
        <SegmentedControl
          mb="md"
          aria-label="Which reports"
          data={[
            { value: 'open', label: 'To decide' },
            { value: 'decided', label: 'Decided' },
          ]}
          value={state}
          onChange={(value) => set('state', value === 'open' ? '' : value)}
        />
      )}
      <PagedRows
        pages={pages}
        rowsOf={({ reports }) => reports}
        waiting={<Waiting />}
        empty={
          <EmptyState
            icon={IconCircleCheck}
            title={person || state === 'decided' ? 'No reports' : 'No reports to decide'}
          >
            What people report appears here.
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className={classes.cards}>
            {rows.map((report) => (
              <ReportCard key={report.id} report={report} />
            ))}
          </ul>
        )}
      </PagedRows>
    </>
  );
}
