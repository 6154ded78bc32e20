import type { User } from '@lendtools/contracts';
import { Badge, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { shortId } from '../../lib/format-instant.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { useAllUsersInfiniteQuery } from './admin-api.ts';

const text = (title: string, read: (user: User) => string, main?: boolean): Column<User> => ({
  title,
  cell: read,
  sortBy: (user) => read(user).toLowerCase(),
  main,
});

const columns: Column<User>[] = [
  { title: 'Id', cell: ({ id }) => <span title={id}>{shortId(id)}</span> },
  {
    title: 'Role',
    cell: ({ role, disabled }) => (
      <Badge
        variant="light"
        tt="none"
        miw="max-content"
        color={disabled ? 'red' : role === 'Admin' ? 'orange' : 'gray'}
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
    // A long one wraps, at best after its @.
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

export function Component() {
  const [query, setQuery] = useState('');
  const [settled] = useDebouncedValue(query.trim(), 300);
  const pages = useAllUsersInfiniteQuery(settled);
  const total = pages.data?.pages[0]?.total;
  return (
    <>
      <PageHeader
        title="All Users"
        intro={total === undefined ? undefined : `${total} in total, newest first.`}
        action={
          <TextInput
            aria-label="Search users"
            placeholder="Name or email"
            type="search"
            leftSection={<IconSearch size={18} aria-hidden />}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        }
      />
      <PagedTable
        label="All users"
        pages={pages}
        rowsOf={({ users }) => users}
        columns={columns}
        rowKey={({ id }) => id}
        actions={({ id, first_name, last_name }) => (
          <Button
            component={Link}
            to={`/admin/user-details?id=${id}`}
            variant="light"
            size="sm"
            aria-label={`Details of ${first_name} ${last_name}`}
          >
            Details
          </Button>
        )}
        empty={
          <EmptyState icon={IconUsers} title="Nobody found">
            Try a part of a first name, a last name or an email.
          </EmptyState>
        }
      />
    </>
  );
}
