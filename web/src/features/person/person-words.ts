import type { PublicPerson } from '@lendtools/contracts';

/** `40 minutes`, `3 hours`, `2 days`: rounded, because it is a median. */
function durationInWords(minutes: number): string {
  const [count, unit] =
    minutes < 60
      ? [Math.max(1, minutes), 'minute']
      : minutes < 36 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / (24 * 60)), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** How a person answers requests and questions; undefined if there were too few. */
export function answersInWords({ answers }: PublicPerson): string | undefined {
  if (!answers) return undefined;
  const { percent, medianMinutes } = answers;
  const rate = `Answers ${percent} % within 24 hours`;
  return medianMinutes === null ? rate : `${rate}, usually in ${durationInWords(medianMinutes)}`;
}
