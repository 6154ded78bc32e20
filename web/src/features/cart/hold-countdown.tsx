import type { Hold } from '@lendtools/contracts';
import { Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useNow } from '../../lib/use-now.ts';

function clock(ms: number) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

interface HoldCountdownProps {
  hold: Pick<Hold, 'expiresAt'>;
  over: string;
}

/** Shows the time left to pay. Not announced: a change every second would flood a screen reader. */
export function HoldCountdown({ hold, over }: HoldCountdownProps) {
  const left = Date.parse(hold.expiresAt) - useNow(1000);
  return (
    <Group gap={6} c="dimmed" wrap="nowrap" role="timer" aria-live="off">
      <IconClock size={16} aria-hidden />
      <Text size="sm" className="tabular">
        {left > 0 ? `Your dates are kept for ${clock(left)}` : over}
      </Text>
    </Group>
  );
}
