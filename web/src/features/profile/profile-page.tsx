import type { User } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Alert, Box, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useProfileQuery } from '../../api/account-profile-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { CalendarFeed } from '../../ui/calendar-feed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { PayoutState } from '../../ui/payouts/payout-state.tsx';
import { EmailVerified, SendVerification } from '../../ui/verify-email.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SavedCards } from './saved-cards.tsx';

function Verified({ user }: { user: User }) {
  if (user.emailVerified)
    return (
      <Box mb="md">
        <EmailVerified />
      </Box>
    );
  return (
    <Alert color="orange" title="Your email isn’t verified yet" maw={680} mb="lg">
      <Stack gap="sm">
        <Text size="sm">
          Follow the link in our welcome email, or get a new one. Neighbors then see “Email
          verified” beside your name.
        </Text>
        <SendVerification />
      </Stack>
    </Alert>
  );
}

function Preferences() {
  return (
    <Stack component="section" aria-labelledby="preferences" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="preferences">
        Emails and notifications
      </Title>
      <Text c="dimmed">Choose what we email you, and what the bell shows.</Text>
      <Button component={Link} to={paths.preferences} variant="default" w="fit-content">
        Emails and notifications
      </Button>
    </Stack>
  );
}

function Security() {
  return (
    <Stack component="section" aria-labelledby="security" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="security">
        Login and security
      </Title>
      <Text c="dimmed">Your password, two-step login, and where you’re logged in.</Text>
      <Button component={Link} to={paths.security} variant="default" w="fit-content">
        Login and security
      </Button>
    </Stack>
  );
}

function Data() {
  return (
    <Stack component="section" aria-labelledby="data" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="data">
        Your data
      </Title>
      <Text c="dimmed">Download what we store about you, or delete your account.</Text>
      <Button component={Link} to={paths.myData} variant="default" w="fit-content">
        Your data
      </Button>
    </Stack>
  );
}

function Blocked() {
  return (
    <Stack component="section" aria-labelledby="blocked" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="blocked">
        Blocked people
      </Title>
      <Text c="dimmed">The people you don’t want to hear from.</Text>
      <Button component={Link} to={paths.blockedPeople} variant="default" w="fit-content">
        Blocked people
      </Button>
    </Stack>
  );
}

export default function ProfilePage() {
  const email = useUser()?.email;
  const { data: user, error, refetch } = useProfileQuery(email ?? skipToken);
  const [reloads, setReloads] = useState(0);
  const reload = async () => {
    if ((await refetch()).data) setReloads((count) => count + 1);
  };
  return (
    <>
      <PageHeader title="My Profile" />
      {user && <Verified user={user} />}
      {user && (
        <ProfileForm key={`${user.id} ${reloads}`} user={user} onReload={() => void reload()} />
      )}
      {user && <PayoutState userId={user.id} />}
      {user && <SavedCards userId={user.id} />}
      {user && <CalendarFeed userId={user.id} />}
      {user && <Preferences />}
      {user && <Security />}
      {user && <Blocked />}
      {user && <Data />}
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
