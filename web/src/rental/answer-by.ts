import { limitInWords } from '@lendtools/contracts/cancellation';
import { readersZone } from './format-instant.ts';

/** The deadline for answering a request or a change, in the tool's time zone as in notices and emails. */
export function answerByInWords(
  { answerBy }: { answerBy: string },
  { timeZone }: { timeZone: string },
): string {
  return limitInWords(Date.parse(answerBy), { timeZone, readersZone: readersZone() });
}
