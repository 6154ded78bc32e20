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

interface LinkSectionProps {
  id: string;
  title: string;
  text: string;
  to: string;
}

function LinkSection({ id, title, text, to }: LinkSectionProps) {
  return (
    <Stack component="section" aria-labelledby={id} maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      <Button component={Link} to={to} variant="default" w="fit-content">
        {title}
      </Button>
    </Stack>
  );
}

const sections: LinkSectionProps[] = [
  {
    id: 'preferences',
    title: 'Emails and notifications',
    text: 'Choose what we email you, and what the bell shows.',
    to: paths.preferences,
  },
  {
    id: 'security',
    title: 'Login and security',
    text: 'Your password, two-step login, and where you’re logged in.',
    to: paths.security,
  },
  {
    id: 'blocked',
    title: 'Blocked people',
    text: 'The people you don’t want to hear from.',
    to: paths.blockedPeople,
  },
  {
    id: 'data',
    title: 'Your data',
    text: 'Download what we store about you, or delete your account.',
    to: paths.myData,
  },
];

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
      {user && sections.map((section) => <LinkSection key={section.id} {...section} />)}
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
