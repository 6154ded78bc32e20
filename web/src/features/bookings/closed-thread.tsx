import { Button, Group, Text } from '@mantine/core';
import { useBlock } from '../../ui/use-block.ts';

interface ClosedThreadProps {
  userId: string;
  otherId: string;
  other: string;
  /** Whether the thread is a question about a tool. */
  isQuestion: boolean;
}

/** Stands in place of the text field once the parties can no longer write. */
export default function ClosedThread({ userId, otherId, other, isQuestion }: ClosedThreadProps) {
  const { isBlocked, isLoading, unblock } = useBlock(userId, { id: otherId, name: other });
  if (isBlocked)
    return (
      <Group justify="space-between" gap="xs" p="md">
        <Text size="sm">You blocked {other}, so this conversation is closed.</Text>
        <Button variant="default" size="sm" loading={isLoading} onClick={() => void unblock()}>
          Unblock {other}
        </Button>
      </Group>
    );
  return (
    <Text size="sm" p="md">
      This conversation is closed.
      {!isQuestion && ' The booking or request is over.'} If something is still wrong, report it
      with the flag above.
    </Text>
  );
}
