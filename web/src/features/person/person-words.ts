import type { PublicPerson } from '@lendtools/contracts';
import { counted } from '../../rental/format.ts';

/** `40 minutes`, `3 hours`, `2 days`: rounded, because it is a median. */
function durationInWords(minutes: number): string {
  if (minutes < 60) return counted(Math.max(1, minutes), 'minute');
  if (minutes < 36 * 60) return counted(Math.round(minutes / 60), 'hour');
  return counted(Math.round(minutes / (24 * 60)), 'day');
}

/** How a person answers requests and questions; undefined if there were too few. */
export function answersInWords({ answers }: PublicPerson): string | undefined {
  if (!answers) return undefined;
  const { percent, medianMinutes } = answers;
  const rate = `Answers ${percent} % within 24 hours`;
  return medianMinutes === null ? rate : `${rate}, usually in ${durationInWords(medianMinutes)}`;
}
