import {
  graceInWords,
  policyInWords,
  refundNow,
  refundSteps,
  stepsInWords,
} from '@lendtools/contracts/cancellation';
import { dayMs } from '@lendtools/contracts/local-time';
import { readPeriod } from '@lendtools/contracts/rental-period';
import { readersZone } from '../lib/format-instant.ts';
import { toAskedPeriod } from '../lib/tool-calendar.ts';
import type { CancellationProps } from './cancellation-terms.tsx';

/** An owner's policy. With dates, it names the deadlines that are still ahead, and the grace hour only if it matters. */
export default function PolicyTerms({
  policy,
  tool,
  draft,
}: CancellationProps & { policy: NonNullable<CancellationProps['policy']> }) {
  if (tool && draft?.start_date && draft.end_date) {
    const { rental_circle: circle, timeZone } = tool;
    const period = readPeriod(toAskedPeriod(draft), { circle, timeZone });
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
