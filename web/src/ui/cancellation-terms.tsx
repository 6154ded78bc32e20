import type { Tool } from '@lendtools/contracts';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import { Group, Text } from '@mantine/core';
import { IconCalendarCancel } from '@tabler/icons-react';
import { lazy } from 'react';
import type { BookingDraft } from '../lib/booking-draft.ts';
import { Part } from './part.tsx';

const PolicyTerms = lazy(() => import('./policy-terms.tsx'));

export interface CancellationProps {
  /** The owner's choice; none where everything comes back until the start. */
  policy?: CancellationPolicy | undefined;
  /** With these, the words name the days. */
  tool?: Pick<Tool, 'rental_circle' | 'timeZone'>;
  draft?: BookingDraft;
}

const free = 'Cancel for free until your rental starts. The full amount goes back to your card.';

/** What a cancellation refunds, before anybody pays. */
export function CancellationWords({ policy, ...rental }: CancellationProps) {
  return policy ? <PolicyTerms policy={policy} {...rental} /> : free;
}

/** The same with an icon, and of which of several tools it is. */
export function CancellationTerms({ name, ...props }: CancellationProps & { name?: string }) {
  return (
    <Group gap={8} wrap="nowrap" align="start" c="dimmed">
      <IconCalendarCancel size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Part>
        <Text size="sm">
          {name && `${name}: `}
          <CancellationWords {...props} />
        </Text>
      </Part>
    </Group>
  );
}
