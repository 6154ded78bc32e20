import { formatMonth } from '../../rental/format.ts';

/** Formats `2026-11` as `November 2026`. Its tenth day is in the same month in all time zones. */
export function monthInWords(month: string): string {
  return formatMonth(`${month}-10`);
}

/** Months of money are months in UTC. */
export function isMonthOver(month: string, nowMs: number): boolean {
  return month < new Date(nowMs).toISOString().slice(0, 7);
}
