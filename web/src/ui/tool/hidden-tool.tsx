import { Alert, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';

/** Tells the owner, and admins, that LendTools hid a tool and why. */
export default function HiddenTool({ reason }: { reason: string }) {
  return (
    <Alert
      color="red"
      title="Hidden by LendTools"
      icon={<IconEyeOff aria-hidden />}
      style={{ overflowWrap: 'anywhere' }}
    >
      <Text style={{ whiteSpace: 'pre-line' }}>{reason}</Text>
      <Text mt="xs" size="sm">
        Only you and our team see this tool, and it cannot be booked. Your existing bookings are
        unchanged. If you disagree, you can appeal once with the link in our email about it.
      </Text>
    </Alert>
  );
}
