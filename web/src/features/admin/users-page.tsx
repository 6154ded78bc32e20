import type { User } from '@lendtools/contracts';
import type { CsvColumn } from '@lendtools/contracts/csv';
import * as paths from '@lendtools/contracts/pages';
import { roles } from '@lendtools/contracts/permissions';
import { Badge, Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { shortId } from '../../rental/format-instant.ts';
import { ExportCsv } from '../../ui/export-csv.tsx';
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
import { totalInWords } from '../../ui/total-in-words.ts';
import { type UserFilters, useAllUsersInfiniteQuery, useLazyEveryUserQuery } from './admin-api.ts';

function text(title: string, read: (user: User) => string, main?: boolean): Column<User> {
  return {
    title,
    cell: read,
    sortBy: (user) => read(user).toLowerCase(),
    main,
  };
}

const columns: Column<User>[] = [
  { title: 'Id', cell: ({ id }) => <span title={id}>{shortId(id)}</span> },
  {
    title: 'Role',
    cell: ({ role, disabled }) => (
      <Badge
        variant="light"
        tt="none"
        miw="max-content"
        color={disabled ? 'red' : role === 'User' ? 'gray' : 'orange'}
      >
        {disabled ? 'Disabled' : role}
      </Badge>
    ),
    sortBy: ({ role }) => role,
  },
  text('First Name', ({ first_name }) => first_name, true),
  text('Last Name', ({ last_name }) => last_name),
  {
    title: 'email',
    // Lets a long email address wrap after the @.
    cell: ({ email }) => (
      <>
        {email.slice(0, email.indexOf('@') + 1)}
        <wbr />
        {email.slice(email.indexOf('@') + 1)}
      </>
    ),
    sortBy: ({ email }) => email.toLowerCase(),
  },
  text('phone', ({ phone }) => phone),
  text('Country', ({ country }) => country),
  text('State', ({ state }) => state),
  text('City', ({ city }) => city),
];

const csvColumns: CsvColumn<User>[] = [
  { title: 'Id', value: ({ id }) => id },
  { title: 'Role', value: ({ role }) => role },
  { title: 'Disabled', value: ({ disabled }) => (disabled ? 'yes' : 'no') },
  { title: 'First Name', value: ({ first_name }) => first_name },
  { title: 'Last Name', value: ({ last_name }) => last_name },
  { title: 'email', value: ({ email }) => email },
  { title: 'phone', value: ({ phone }) => phone },
  { title: 'Country', value: ({ country }) => country },
  { title: 'State', value: ({ state }) => state },
  { title: 'City', value: ({ city }) => city },
  { title: 'Member since', value: ({ createdAt }) => createdAt },
];

const roleChoices = roles.map((value) => ({ value, label: value }));
const states = [
  { value: 'false', label: 'Can log in' },
  { value: 'true', label: 'Disabled' },
];

export default function UsersPage() {
  const { filters, set } = useListFilters<keyof UserFilters>(['q', 'role', 'disabled']);
  const query = withoutEmpty(filters);
  const pages = useAllUsersInfiniteQuery(query);
  const [loadEvery] = useLazyEveryUserQuery();
  return (
    <>
      <PageHeader
        title="All Users"
        intro={totalInWords(pages.data?.pages[0])}
        action={<ExportCsv name="users" columns={csvColumns} load={() => loadEvery(query)} />}
      />
      <FilterBar>
        <SearchField
          label="Search users"
          placeholder="Name or email"
          value={filters.q}
          onSettled={(words) => set('q', words)}
        />
        <Choice
          label="Role"
          all="Any role"
          options={roleChoices}
          value={filters.role}
          onChange={(role) => set('role', role)}
        />
        <Choice
          label="Access"
          all="Any status"
          options={states}
          value={filters.disabled}
          onChange={(disabled) => set('disabled', disabled)}
        />
      </FilterBar>
      <PagedTable
        label="All users"
        pages={pages}
        rowsOf={({ users }) => users}
        columns={columns}
        rowKey={({ id }) => id}
        actions={({ id, first_name, last_name }) => (
          <Button
            component={Link}
            to={paths.ofId(paths.user, id)}
            variant="light"
            size="sm"
            aria-label={`Details of ${first_name} ${last_name}`}
          >
            Details
          </Button>
        )}
        empty={
          <EmptyState icon={IconUsers} title="Nobody found">
            Try part of a first name, last name or email, or any role.
          </EmptyState>
        }
      />
    </>
  );
}
