import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function DraftNotice({
  children,
  onDiscard,
}: {
  children: ReactNode;
  onDiscard: () => void;
}) {
  return (
    <Alert color="orange" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{children}</Text>
        <Button variant="default" size="xs" onClick={onDiscard}>
          Discard draft
        </Button>
      </Group>
    </Alert>
  );
}
