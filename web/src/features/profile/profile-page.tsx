import { Skeleton, Stack } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { useProfileQuery } from './profile-api.ts';
import { ProfileForm } from './profile-form.tsx';

export function Component() {
  const email = useUser()?.email;
  const { data: user, error, refetch } = useProfileQuery(email ?? skipToken);
  return (
    <>
      <PageHeader title="My Profile" />
      {user && <ProfileForm key={user.id} user={user} />}
      {!user && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!user && !error && (
        <Stack maw={680} aria-hidden>
          <Skeleton h={128} w={128} circle />
          <Skeleton h={64} />
          <Skeleton h={64} />
          <Skeleton h={64} />
          <Skeleton h={64} />
        </Stack>
      )}
    </>
  );
}
