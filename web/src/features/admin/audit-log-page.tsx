import type { AuditEntry } from '@lendtools/contracts';
import { auditActions, auditWords } from '@lendtools/contracts/audit-words';
import { Text, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { dateFormat } from '../../lib/lazy-format.ts';
import { shortId } from '../../rental/format-instant.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import {
  Choice,
  FilterBar,
  SearchField,
  useListFilters,
  withoutEmpty,
} from '../../ui/list-filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import {
  type AuditFilters,
  useAuditLogCsvMutation,
  useAuditLogInfiniteQuery,
} from './audit-log-api.ts';
import { PersonLink } from './person-link.tsx';

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' });
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A UUID is shown by its end, as in other lists; the title has all of it, for the search by subject. */
function Id({ of }: { of: string }) {
  return (
    <span title={of} style={{ overflowWrap: 'anywhere' }}>
      {uuid.test(of) ? shortId(of) : of}
    </span>
  );
}

function detailsInWords({ details, network }: AuditEntry): string {
  const fields = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return [...fields, ...(network ? [`network: ${network}`] : [])].join(', ');
}

const columns: Column<AuditEntry>[] = [
  {
    title: 'Action',
    main: true,
    cell: ({ action }) => auditWords[action as keyof typeof auditWords] ?? action,
  },
  {
    title: 'Admin',
    cell: ({ actor, role }) => (
      <>
        {actor ? <PersonLink person={actor} /> : 'The operator'}
        {role && (
          <Text span display="block" size="sm" c="dimmed">
            {role}
          </Text>
        )}
      </>
    ),
  },
  { title: 'Time', cell: ({ at }) => moment(new Date(at)) },
  { title: 'Subject', cell: ({ subject }) => (subject ? <Id of={subject} /> : 'none') },
  {
    title: 'Details',
    wide: true,
    cell: (entry) => (
      <span style={{ overflowWrap: 'anywhere' }}>{detailsInWords(entry) || 'none'}</span>
    ),
  },
  { title: 'Request', cell: ({ requestId }) => (requestId ? <Id of={requestId} /> : 'none') },
];

const actions = auditActions
  .map((value) => ({ value, label: auditWords[value] }))
  .sort((a, b) => a.label.localeCompare(b.label));

export default function AuditLogPage() {
  const { filters, set } = useListFilters(['who', 'action', 'subject', 'from', 'to']);
  const query = withoutEmpty(filters) as AuditFilters;
  const pages = useAuditLogInfiniteQuery(query, { refetchOnMountOrArgChange: true });
  const [loadCsv] = useAuditLogCsvMutation();
  return (
    <>
      <PageHeader
        title="Audit log"
        intro="What admins did and read, and their logins, newest first. Nobody can change or delete it."
        action={
          <DownloadButton
            label="CSV"
            name="of these entries"
            fileName="lendtools-audit-log.csv"
            load={() => loadCsv(query)}
          />
        }
      />
      <FilterBar>
        <SearchField
          label="Search by admin"
          placeholder="Admin: name, email or id"
          value={filters.who}
          onSettled={(who) => set('who', who)}
        />
        <SearchField
          label="Search by subject"
          placeholder="Subject: a whole id"
          value={filters.subject}
          onSettled={(subject) => set('subject', subject)}
        />
        <Choice
          label="Action"
          all="Any action"
          options={actions}
          value={filters.action}
          onChange={(action) => set('action', action)}
        />
        <TextInput
          type="date"
          aria-label="First day (UTC)"
          value={filters.from}
          max={filters.to}
          onChange={(event) => set('from', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          aria-label="Last day (UTC)"
          value={filters.to}
          min={filters.from}
          onChange={(event) => set('to', event.currentTarget.value)}
        />
      </FilterBar>
      <PagedTable
        label="Audit log"
        pages={pages}
        rowsOf={({ entries }) => entries}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconHistory} title="No entries found">
            Try another admin, subject, action or other days.
          </EmptyState>
        }
      />
    </>
  );
}
