import { Alert, Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCalendarPlus, IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { formatDate } from '../../lib/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastError } from '../../ui/toast.ts';
import {
  useCalendarFeedQuery,
  useRenewCalendarFeedMutation,
  useStopCalendarFeedMutation,
} from './profile-api.ts';

/** Shown once: the server keeps only a hash of it. */
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

/** A calendar that others subscribe to: made, renewed and ended here. */
export function CalendarFeed({ userId }: { userId: string }) {
  const { data: since, error, refetch } = useCalendarFeedQuery(userId);
  const [renew, renewal] = useRenewCalendarFeedMutation();
  const [stop, stopping] = useStopCalendarFeedMutation();
  const [path, setPath] = useState<string>();
  const say = (error: unknown) => toastError(errorMessage(error));

  const renewNow = async () => {
    const isAgreed =
      !since ||
      (await confirm('Calendars that use the present address will no longer be updated.', {
        title: 'Get a new address?',
        confirm: 'Get a new address',
        cancel: 'Keep it',
      }));
    if (!isAgreed) return;
    await renew(userId)
      .unwrap()
      .then((made) => setPath(made.path), say);
  };
  const stopNow = async () => {
    const isAgreed = await confirm('Calendars that use the address will no longer be updated.', {
      title: 'Turn your calendar off?',
      confirm: 'Turn it off',
      cancel: 'Keep it',
    });
    if (!isAgreed) return;
    await stop(userId)
      .unwrap()
      .then(() => setPath(undefined), say);
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
      {since !== undefined && (
        <Group gap="sm">
          <Button
            variant={since ? 'default' : 'filled'}
            onClick={() => void renewNow()}
            loading={renewal.isLoading}
          >
            {since ? 'Get a new address' : 'Get an address'}
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
