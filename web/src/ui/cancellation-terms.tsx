import { Group, Text } from '@mantine/core';
import { IconCalendarCancel } from '@tabler/icons-react';

/** Shown before anybody pays. What the server refunds is `refundFor` in bookings. */
export const cancellationTerms =
  'Cancel for free until your rental starts. The full amount goes back to your card.';

export function CancellationTerms() {
  return (
    <Group gap={8} wrap="nowrap" align="start" c="dimmed">
      <IconCalendarCancel size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">{cancellationTerms}</Text>
    </Group>
  );
}
