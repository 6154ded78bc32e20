import type { Session } from '@lendtools/contracts';
import { Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { errorMessage } from '../../api/error-message.ts';
import { momentInWords } from '../../rental/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import {
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useSessionsQuery,
} from './profile-api.ts';

function showOutcome({ data, error }: { data?: { message: string }; error?: unknown }) {
  if (data) toastSuccess(data.message);
  else toastError(errorMessage(error));
}

function DeviceIcon({ device }: { device: string | null }) {
  const Icon = /iOS|Android/.test(device ?? '') ? IconDeviceMobile : IconDeviceDesktop;
  return <Icon size={28} stroke={1.6} aria-hidden style={{ flex: 'none' }} />;
}

function whereabouts({ place, network }: Session) {
  if (!network) return 'Unknown place';
  return place ? `${place}, network ${network}` : `Network ${network}`;
}

function SessionCard({ session, userId }: { session: Session; userId: string }) {
  const [end, { isLoading }] = useEndSessionMutation();
  const { device, usedAt, isCurrent } = session;
  const name = device ?? 'Unknown device';
  return (
    <Card component="li" withBorder padding="md">
      <Group gap="md" wrap="nowrap" align="center">
        <DeviceIcon device={device} />
        <Stack gap={2} flex={1} miw={0}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            {isCurrent && (
              <Badge color="green" variant="light" tt="none">
                This device
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {whereabouts(session)}
          </Text>
          <Text size="sm" c="dimmed">
            {isCurrent ? 'In use now' : `Last used ${momentInWords(usedAt)}`}
          </Text>
        </Stack>
        {!isCurrent && (
          <Button
            variant="default"
            size="sm"
            loading={isLoading}
            aria-label={`Log out ${name}, last used ${momentInWords(usedAt)}`}
            onClick={async () => showOutcome(await end({ userId, id: session.id }))}
          >
            Log out
          </Button>
        )}
      </Group>
    </Card>
  );
}

function EndOthers({ userId }: { userId: string }) {
  const [end, { isLoading }] = useEndOtherSessionsMutation();
  const endAll = async () => {
    const isAgreed = await confirm('You stay logged in on this device only.', {
      title: 'Log out all other devices?',
      confirm: 'Log them out',
    });
    if (isAgreed) showOutcome(await end(userId));
  };
  return (
    <Button
      variant="default"
      c="var(--mantine-color-red-light-color)"
      w="fit-content"
      loading={isLoading}
      onClick={() => void endAll()}
    >
      Log out all other devices
    </Button>
  );
}

/** Where the user is logged in. The list shows networks, not addresses, because no address is stored. */
export function Sessions({ userId }: { userId: string }) {
  const { data: sessions, error, refetch } = useSessionsQuery(userId);
  return (
    <Stack component="section" aria-labelledby="sessions" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="sessions">
        Where you’re logged in
      </Title>
      <Text c="dimmed">
        Don’t recognize one? Log it out and reset your password. A device stays logged in for 30
        days without use, and for 90 days at most.
      </Text>
      {sessions && (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {sessions.map((session) => (
            <SessionCard key={session.id} session={session} userId={userId} />
          ))}
        </Stack>
      )}
      {sessions && sessions.length > 1 && <EndOthers userId={userId} />}
      {!sessions && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!sessions && !error && <Skeleton h={88} aria-hidden />}
    </Stack>
  );
}
