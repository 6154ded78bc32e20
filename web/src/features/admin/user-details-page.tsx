import type { User } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { roles } from '@lendtools/contracts/permissions';
import { Anchor, Skeleton, Stack, Switch } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { Link, useSearchParams } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { usePermission } from '../../api/use-permission.ts';
import { useUserDetailsQuery } from '../../api/user-details-api.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { ListSelect } from '../../ui/list-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import classes from './admin.module.css';
import { useSetUserMutation } from './admin-api.ts';
import { LostAccess } from './lost-access.tsx';
import { UserActivity } from './user-activity.tsx';
import { UserPayouts } from './user-payouts.tsx';

const rights: Record<User['role'], string> = {
  User: 'will no longer see the admin area',
  Support:
    'will see everyone’s accounts, bookings and messages, decide reports and settle problems',
  Finance: 'will see everyone’s accounts, bookings and money, refund, and hold payouts',
  Admin: 'will see and change everything, roles included',
};
const unnamed = { data: { message: 'This link is missing its user.' } };

function facts(user: User): [string, string][] {
  return [
    ['Id', user.id],
    ['User name', user.user_name],
    ['email', user.email],
    ['Email verified', user.emailVerified ? 'Yes' : 'No'],
    ['phone', user.phone],
    ['Country', user.country],
    ['State', user.state],
    ['City', user.city],
    ['Address', user.address],
    ['Member since', formatDate(user.createdAt)],
    ...(user.deletionDueAt
      ? ([['Will be deleted, as the user asked', formatDate(user.deletionDueAt)]] as [
          string,
          string,
        ][])
      : []),
  ];
}

function UserDetails({ user }: { user: User }) {
  const [setUser, { isLoading }] = useSetUserMutation();
  const mayModerate = usePermission('moderate');
  const mayAdminister = usePermission('administer');
  const mayDisable = mayAdminister || (mayModerate && user.role === 'User');
  const name = user.first_name;

  const change = async (what: Pick<Partial<User>, 'role' | 'disabled'>, done: string) => {
    const { error } = await setUser({ id: user.id, ...what });
    if (error) return toastError(errorMessage(error));
    toastSuccess(done);
  };
  const chooseRole = async (role: string | null) => {
    const chosen = roles.find((known) => known === role);
    if (!chosen || chosen === user.role) return;
    const agreed = await confirm(`${name} ${rights[chosen]}. They are logged out now.`, {
      title: `Make ${name} ${chosen}?`,
      confirm: 'Change role',
    });
    if (agreed) await change({ role: chosen }, `${name} is ${chosen} now`);
  };
  const toggleDisabled = async () => {
    if (user.disabled) return change({ disabled: false }, `${name} can log in again`);
    const question =
      `${name} is logged out everywhere at once, cannot log in, and their tools leave the market. ` +
      'Bookings of their tools that have not started are cancelled and refunded in full, even if you enable the account again later.';
    const agreed = await confirm(question, { title: `Disable ${name}?`, confirm: 'Disable' });
    if (agreed) await change({ disabled: true }, `${name} is disabled`);
  };

  return (
    <Stack gap="lg" maw={560}>
      <Facts className={classes.facts}>
        {facts(user).map(([title, value]) => (
          <Fact key={title} name={title}>
            {value}
          </Fact>
        ))}
      </Facts>
      {mayModerate && (
        <Anchor component={Link} to={`${paths.reports}?person=${user.id}`}>
          Reports about {name}
        </Anchor>
      )}
      {mayAdminister && (
        <Anchor component={Link} to={`${paths.auditLog}?subject=${user.id}`}>
          Audit log about {name}
        </Anchor>
      )}
      <ListSelect
        label="Role"
        data={roles}
        value={user.role}
        onChange={(role) => void chooseRole(role)}
        disabled={isLoading || !mayAdminister}
        {...(!mayAdminister && { description: 'Only an administrator changes roles.' })}
        maw={280}
      />
      <Switch
        label="Disabled"
        // Mantine puts the description inside the label, so set the accessible name to the label alone.
        aria-label="Disabled"
        description="Ends every session at once and refuses new ones."
        checked={user.disabled}
        onChange={() => void toggleDisabled()}
        disabled={isLoading || !mayDisable}
        color="red"
        size="md"
      />
    </Stack>
  );
}

export default function UserDetailsPage() {
  const [search] = useSearchParams();
  const id = search.get('id');
  const maySeeMoney = usePermission('money');
  const mayAdminister = usePermission('administer');
  const { data: user, error, refetch } = useUserDetailsQuery(id ?? skipToken);
  return (
    <>
      <PageHeader
        title={user ? `${user.first_name} ${user.last_name}` : 'User details'}
        back={{ to: paths.users, label: 'All Users' }}
      />
      {user && <UserDetails user={user} />}
      {user && mayAdminister && <LostAccess user={user} />}
      {user && maySeeMoney && <UserPayouts user={user} />}
      {user && <UserActivity key={user.id} userId={user.id} />}
      {!user && (error || !id) && (
        <ErrorState error={error ?? unnamed} onRetry={id ? () => void refetch() : undefined} />
      )}
      {!user && id && !error && <Skeleton h={340} maw={560} />}
    </>
  );
}
