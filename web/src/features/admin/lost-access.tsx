import type { User } from '@lendtools/contracts';
import { longestAdminReason } from '@lendtools/contracts/admin-reason';
import type { ReplyAt } from '@lendtools/contracts/call';
import type * as at from '@lendtools/contracts/endpoints';
import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useSecondFactorsQuery } from '../../api/login-api.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { TextDialog } from '../../ui/text-dialog.tsx';
import {
  useFormerEmailsQuery,
  useRemoveSecondFactorsMutation,
  useRestoreEmailMutation,
} from './admin-api.ts';

const reasonField = {
  label: 'Reason',
  description: 'How you made sure that it is this person. They get it by email.',
  field: 'reason',
  missing: 'Please enter a reason',
  maxLength: longestAdminReason,
  color: 'red.9',
  size: 'sm',
} as const;

function FormerEmail({ user, email, until }: { user: User; email: string; until: string }) {
  const [restore] = useRestoreEmailMutation();
  return (
    <Card component="li" withBorder padding="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0}>
          <Text style={{ overflowWrap: 'anywhere' }}>{email}</Text>
          <Text size="sm" c="dimmed">
            Until {formatDate(until)}
          </Text>
        </Stack>
        <TextDialog
          {...reasonField}
          button="Restore"
          buttonName={`Restore ${email}`}
          title={`Give ${user.first_name} back ${email}?`}
          submit="Restore this email"
          done={`The account has the email ${email} again.`}
          onSubmit={(reason) => restore({ userId: user.id, email, reason })}
        >
          All devices are logged out, the password stops working, and {email} gets a link to choose
          a new one. Second factors that were added since then are removed.
        </TextDialog>
      </Group>
    </Card>
  );
}

function inWords({ totpSince, passkeys }: ReplyAt<typeof at.secondFactors>) {
  const count = passkeys.length === 1 ? 'a passkey' : `${passkeys.length} passkeys`;
  const kinds = [totpSince && 'an authenticator app', passkeys.length > 0 && count].filter(Boolean);
  return kinds.join(' and ') || 'no second factor';
}

function SecondFactors({ user }: { user: User }) {
  const { data, error, refetch } = useSecondFactorsQuery(user.id);
  const [remove] = useRemoveSecondFactorsMutation();
  const name = user.first_name;
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton h={24} w={240} aria-hidden />
    );
  const hasFactor = data.totpSince !== null || data.passkeys.length > 0;
  return (
    <Group gap="sm">
      <Text>
        {name} has {inWords(data)}.
      </Text>
      {hasFactor && user.role === 'User' && (
        <TextDialog
          {...reasonField}
          button="Remove"
          buttonName={`Remove the second factors of ${name}`}
          title={`Remove the second factors of ${name}?`}
          submit="Remove them"
          done={`${name} can log in with the password alone.`}
          onSubmit={(reason) => remove({ userId: user.id, reason })}
        >
          The authenticator app, the passkeys and the recovery codes stop working, and all devices
          are logged out. The password is then enough to log in as {name}: a thief may be asking.
        </TextDialog>
      )}
      {hasFactor && user.role !== 'User' && (
        <Text size="sm" c="dimmed">
          Those of an admin are removed on the server: npm run second-factor:remove
        </Text>
      )}
    </Group>
  );
}

/** For a person who can no longer log in: restores an earlier email, and removes lost second factors. */
export function LostAccess({ user }: { user: User }) {
  const { data: emails } = useFormerEmailsQuery(user.id);
  return (
    <Stack component="section" aria-labelledby="lost-access" mt={40} gap="sm" maw={560}>
      <Title order={2} fz="h3" id="lost-access">
        Lost access
      </Title>
      <Text c="dimmed">
        Make sure first that it is {user.first_name} who asks: an email alone is no proof.
      </Text>
      <SecondFactors user={user} />
      {emails && emails.length > 0 && (
        <>
          <Title order={3} fz="md" id="former-emails">
            Emails of the last 90 days
          </Title>
          <Stack
            component="ul"
            aria-labelledby="former-emails"
            gap="sm"
            p={0}
            m={0}
            style={{ listStyle: 'none' }}
          >
            {emails.map(({ email, changedAt }) => (
              <FormerEmail key={changedAt} user={user} email={email} until={changedAt} />
            ))}
          </Stack>
        </>
      )}
    </Stack>
  );
}
