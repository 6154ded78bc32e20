import type { Hold } from '@lendtools/contracts';
import { Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

const clock = (ms: number) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** How long the dates are kept. Silent to a screen reader: a count each second would drown the rest. */
export function HoldCountdown({ hold }: { hold: Hold }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Date.parse(hold.expiresAt) - now;
  return (
    <Group gap={6} c="dimmed" wrap="nowrap" role="timer" aria-live="off">
      <IconClock size={16} aria-hidden />
      <Text size="sm" className="tabular">
        {left > 0
          ? `Your dates are kept for ${clock(left)}`
          : 'Your hold expired. Press PAY to try again.'}
      </Text>
    </Group>
  );
}
