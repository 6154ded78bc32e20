import { Group, Text } from '@mantine/core';
import { IconCalendarCancel } from '@tabler/icons-react';
import { lazy } from 'react';
import { Part } from './part.tsx';
import type { CancellationProps } from './policy-terms.tsx';

const PolicyTerms = lazy(() => import('./policy-terms.tsx'));

const free = 'Cancel for free until your rental starts. The full amount goes back to your card.';

export function CancellationText({ policy, ...rental }: CancellationProps) {
  return policy ? <PolicyTerms policy={policy} {...rental} /> : free;
}

export function CancellationTerms({ name, ...props }: CancellationProps & { name?: string }) {
  return (
    <Group gap={8} wrap="nowrap" align="start" c="dimmed">
      <IconCalendarCancel size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Part>
        <Text size="sm">
          {name && `${name}: `}
          <CancellationText {...props} />
        </Text>
      </Part>
    </Group>
  );
}
