import type { Terms, Tool } from '@lendtools/contracts';
import { longestDays } from '@lendtools/contracts/rental-period';
import { termsLimits, termsRules } from '@lendtools/contracts/terms-limits';

type Circle = Tool['rental_circle'];
export type CountName = 'shortest' | 'longest' | 'noticeHours' | 'buffer';

interface Limits {
  least: number;
  most: number;
}

/** Limits in days for daily tools and in hours for hourly ones; the notice period is always in hours. */
export function countLimits(circle: Circle): Record<CountName, Limits> {
  const length = { least: 1, most: circle === 'hourly' ? termsLimits.length : longestDays };
  return {
    shortest: length,
    longest: length,
    noticeHours: { least: 0, most: termsLimits.noticeHours },
    buffer: { least: 0, most: termsLimits.buffer },
  };
}

export const percentLimits: Limits = { least: 0, most: termsLimits.percent };

/** The allowed range, such as `1 to 90`, if the number is outside it. */
export function outside(count: number | undefined, { least, most }: Limits): string | null {
  return count !== undefined && (count < least || count > most)
    ? `${least} to ${most.toLocaleString('en-US')}`
    : null;
}

const names: Record<CountName, string> = {
  shortest: 'shortest rental',
  longest: 'longest rental',
  noticeHours: 'notice',
  buffer: 'buffer',
};

export function termsProblem(terms: Terms, circle: Circle): string | null {
  const limits = countLimits(circle);
  for (const name of Object.keys(names) as CountName[]) {
    const range = outside(terms[name], limits[name]);
    const unit = name === 'noticeHours' || circle === 'hourly' ? 'hours' : 'days';
    if (range) return `The ${names[name]} is ${range} ${unit}`;
  }
  const isTooMuch = terms.discounts?.some(({ percent }) => outside(percent, percentLimits));
  if (isTooMuch) return `A discount is 1 to ${termsLimits.percent} percent`;
  return termsRules.find(({ holds }) => !holds(terms))?.error ?? null;
}
