import * as paths from '@lendtools/contracts/pages';
import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { TwoStep } from './two-step.tsx';

function Password() {
  return (
    <Stack component="section" aria-labelledby="password" maw={680} gap="sm">
      <Title order={2} size="h3" id="password">
        Password
      </Title>
      <Text c="dimmed">A new password logs out all other devices.</Text>
      <Button component={Link} to={paths.changePassword} variant="default" w="fit-content">
        Reset Password
      </Button>
    </Stack>
  );
}

export default function SecurityPage() {
  const userId = useUser()?.id;
  return (
    <>
      <PageHeader title="Login and security" back={{ to: paths.profile, label: 'Settings' }} />
      <Password />
      {userId && <TwoStep userId={userId} />}
      {userId && <Passkeys userId={userId} />}
      {userId && <Sessions userId={userId} />}
    </>
  );
}
