import { limitInWords } from '@lendtools/contracts/cancellation';
import { readersZone } from './format-instant.ts';

/** Until when a request, or a change, may be answered: by the clock of the tool's place, like its notices and emails. */
export const answerByInWords = (
  { answerBy }: { answerBy: string },
  { timeZone }: { timeZone: string },
): string => limitInWords(Date.parse(answerBy), { timeZone, readersZone: readersZone() });
