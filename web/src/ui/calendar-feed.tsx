import {
  Alert,
  Button,
  CopyButton,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconCalendarPlus, IconCheck, IconCopy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import {
  useCalendarFeedQuery,
  useRenewCalendarFeedMutation,
  useStopCalendarFeedMutation,
} from '../api/calendar-feed-api.ts';
import { errorMessage } from '../api/error-message.ts';
import { formatDate } from '../rental/format-instant.ts';
import { confirm } from './confirm.tsx';
import { ErrorState } from './page-states.tsx';
import { toastError } from './toast.ts';

/** Shows a new calendar URL. It can't be shown again, because the server stores only its hash. */
function Address({ path }: { path: string }) {
  const address = window.location.origin + path;
  return (
    <Alert color="green" title="Your calendar’s address">
      <Stack gap="sm">
        <Text size="sm">
          Copy it now; it isn’t shown again. Whoever knows it sees what you rent and lend, and where
          you pick it up.
        </Text>
        <TextInput
          readOnly
          value={address}
          aria-label="Your calendar’s address"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group gap="sm">
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={
                  copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />
                }
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button
            component="a"
            href={address.replace(/^https?:/, 'webcal:')}
            variant="light"
            leftSection={<IconCalendarPlus size={18} aria-hidden />}
          >
            Open in my calendar
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Requires the current password, because the calendar URL outlives the session. */
function NewAddress(props: {
  userId: string;
  isRenewal: boolean;
  onCreated: (path: string) => void;
  onCancel: () => void;
}) {
  const [create, { isLoading, error }] = useRenewCalendarFeedMutation();
  const [password, setPassword] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ userId: props.userId, password });
    if (data) props.onCreated(data.path);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm" maw={440}>
        {props.isRenewal && (
          <Text size="sm">Calendars that use the present address will no longer be updated.</Text>
        )}
        <PasswordInput
          label="Current password"
          description="Whoever has the address sees your bookings, so we check that it’s you."
          autoComplete="current-password"
          autoFocus
          withAsterisk
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={error && errorMessage(error)}
        />
        <Group gap="sm">
          <Button type="submit" loading={isLoading} disabled={!password}>
            {addressLabel(props.isRenewal)}
          </Button>
          <Button variant="default" onClick={props.onCancel}>
            {props.isRenewal ? 'Keep it' : 'Cancel'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function addressLabel(isRenewal: boolean) {
  return isRenewal ? 'Get a new address' : 'Get an address';
}

export function CalendarFeed({ userId }: { userId: string }) {
  const { data: since, error, refetch } = useCalendarFeedQuery(userId);
  const [stop, stopping] = useStopCalendarFeedMutation();
  const [path, setPath] = useState<string>();
  const [isCreating, setIsCreating] = useState(false);
  const showError = (error: unknown) => toastError(errorMessage(error));

  const stopNow = async () => {
    const isAgreed = await confirm('Calendars that use the address will no longer be updated.', {
      title: 'Turn your calendar off?',
      confirm: 'Turn it off',
      cancel: 'Keep it',
    });
    if (!isAgreed) return;
    await stop(userId)
      .unwrap()
      .then(() => setPath(undefined), showError);
  };

  return (
    <Stack component="section" aria-labelledby="calendar-feed" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="calendar-feed">
        Your calendar
      </Title>
      <Text c="dimmed">
        See what you rent and lend in Google Calendar, Apple Calendar or Outlook, always up to date.
      </Text>
      {path && <Address path={path} />}
      {since && !path && <Text size="sm">On since {formatDate(since)}.</Text>}
      {since === undefined && error && <ErrorState error={error} onRetry={refetch} />}
      {isCreating && (
        <NewAddress
          userId={userId}
          isRenewal={Boolean(since)}
          onCreated={(created) => {
            setPath(created);
            setIsCreating(false);
          }}
          onCancel={() => setIsCreating(false)}
        />
      )}
      {since !== undefined && !isCreating && (
        <Group gap="sm">
          <Button variant={since ? 'default' : 'filled'} onClick={() => setIsCreating(true)}>
            {addressLabel(Boolean(since))}
          </Button>
          {since && (
            <Button
              variant="subtle"
              color="red"
              onClick={() => void stopNow()}
              loading={stopping.isLoading}
            >
              Turn off
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}
