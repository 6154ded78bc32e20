import { Alert, Button, Stack, Text } from '@mantine/core';
import { problemOf } from '../api/error-message.ts';
import { formatDate } from '../rental/format-instant.ts';

interface KeepAccountProps {
  /** The reply `ACCOUNT_CLOSED` to a login. */
  error: unknown;
  isLoading: boolean;
  onKeep: () => void;
}

/** Offers to keep an account whose deletion the user has requested. */
export function KeepAccount({ error, isLoading, onKeep }: KeepAccountProps) {
  const { deletionDueAt = '' } = problemOf<{ deletionDueAt: string }>(error);
  return (
    <Alert
      color="orange"
      role="alert"
      title={`Your account will be deleted on ${formatDate(deletionDueAt)}`}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">You requested this. You can still keep the account.</Text>
        <Button variant="default" loading={isLoading} onClick={onKeep}>
          Keep my account
        </Button>
      </Stack>
    </Alert>
  );
}
