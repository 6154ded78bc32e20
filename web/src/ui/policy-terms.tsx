import type { Tool } from '@lendtools/contracts';
import {
  type CancellationPolicy,
  graceInWords,
  policyInWords,
  refundNow,
  refundSteps,
  stepsInWords,
} from '@lendtools/contracts/cancellation';
import { dayMs } from '@lendtools/contracts/local-time';
import { readPeriod } from '@lendtools/contracts/rental-period';
import type { BookingDraft } from '../rental/booking-draft.ts';
import { readersZone } from '../rental/format-instant.ts';
import { toPeriodInput } from '../rental/tool-calendar.ts';

export interface CancellationProps {
  /** The owner's policy; undefined if a cancellation before the start refunds everything. */
  policy?: CancellationPolicy | undefined;
  /** If the tool and the dates are given, the text names the refund deadlines. */
  tool?: Pick<Tool, 'rental_circle' | 'timeZone'>;
  draft?: BookingDraft;
}

export default function PolicyTerms({
  policy,
  tool,
  draft,
}: CancellationProps & { policy: NonNullable<CancellationProps['policy']> }) {
  if (tool && draft?.start_date && draft.end_date) {
    const { rental_circle: circle, timeZone } = tool;
    const period = readPeriod(toPeriodInput(draft), { circle, timeZone });
    const nowMs = Date.now();
    if ('startsAtMs' in period && period.startsAtMs > nowMs) {
      const { startsAtMs } = period;
      const steps = refundSteps(policy, { circle, timeZone, startsAtMs });
      const hasGrace = refundNow(steps, nowMs).step?.percent !== 100 && startsAtMs - nowMs > dayMs;
      return [
        stepsInWords(steps, { timeZone, readersZone: readersZone(), nowMs }),
        hasGrace && graceInWords,
      ]
        .filter(Boolean)
        .join(' ');
    }
  }
  return `${policyInWords(policy)} ${graceInWords}`;
}
