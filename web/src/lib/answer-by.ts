import { limitInWords } from '@lendtools/contracts/cancellation';
import { readersZone } from './format-instant.ts';

/** The deadline for answering a request or a change, in the tool's time zone like its notices and emails. */
export const answerByInWords = (
  { answerBy }: { answerBy: string },
  { timeZone }: { timeZone: string },
): string => limitInWords(Date.parse(answerBy), { timeZone, readersZone: readersZone() });
