import type { Tool } from '@lendtools/contracts';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import { Group, Text } from '@mantine/core';
import { IconCalendarCancel } from '@tabler/icons-react';
import { lazy } from 'react';
import type { BookingDraft } from '../lib/booking-draft.ts';
import { Part } from './part.tsx';

const PolicyTerms = lazy(() => import('./policy-terms.tsx'));

export interface CancellationProps {
  /** The owner's policy; undefined if a cancellation before the start refunds everything. */
  policy?: CancellationPolicy | undefined;
  /** With the tool and the dates, the text names the refund deadlines. */
  tool?: Pick<Tool, 'rental_circle' | 'timeZone'>;
  draft?: BookingDraft;
}

const free = 'Cancel for free until your rental starts. The full amount goes back to your card.';

/** What a cancellation refunds, as shown before the payment. */
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
