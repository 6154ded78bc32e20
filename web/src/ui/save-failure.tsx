import { Alert, Button, Group, Text } from '@mantine/core';
import { errorCode, errorMessage } from '../api/error-message.ts';

export function SaveFailure({ error, onReload }: { error: unknown; onReload: () => void }) {
  if (!error) return null;
  if (errorCode(error) !== 'EDITED_ELSEWHERE')
    return (
      <Text c="var(--mantine-color-error)" role="alert">
        {errorMessage(error)}
      </Text>
    );
  return (
    <Alert color="red" role="alert">
      <Text size="sm">{errorMessage(error)}</Text>
      <Group mt="sm" justify="space-between" gap="sm">
        <Text size="sm">What you changed here stays in the form.</Text>
        <Button variant="default" size="xs" onClick={onReload}>
          Load it again
        </Button>
      </Group>
    </Alert>
  );
}
