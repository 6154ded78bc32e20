import type { Tool } from '@lendtools/contracts';
import type { BookingDraft } from './booking-draft.ts';
import { countPeriod, endsAfterStart, paymentDue } from './booking-price.ts';

export type DraftErrors = Partial<Record<keyof BookingDraft, string>>;

/**
 * Members choose times; for visitors the form has dates alone, unless the tool is rented by the
 * hour, where dates alone would mean nothing.
 */
export function asksForTimes(tool: Tool, isMember: boolean): boolean {
  return isMember || tool.rental_circle === 'hourly';
}

/** What still stands in the way of proceeding, by field. */
export function checkDraft(tool: Tool, draft: BookingDraft, withTimes: boolean): DraftErrors {
  const errors: DraftErrors = {};
  if (!draft.start_date) errors.start_date = 'Please select your start date';
  if (!draft.end_date) errors.end_date = 'Please select your returning date';
  if (withTimes && !draft.start_time) errors.start_time = 'Please select your start time';
  if (withTimes && !draft.end_time) errors.end_time = 'Please select your returning time';
  if (Object.keys(errors).length === 0 && !endsAfterStart(tool.rental_circle, draft)) {
    if (draft.end_date < draft.start_date) {
      errors.end_date = 'The returning date must not be before the start date.';
    } else errors.end_time = 'The returning time must be after the start time.';
  }
  return errors;
}

export interface Quote {
  period: number;
  total: number;
}

/** The price of a draft as far as it is chosen; null while the dates don't make sense yet. */
export function quoteDraft(tool: Tool, draft: BookingDraft): Quote | null {
  const { rental_circle: circle, timeZone, price } = tool;
  if (!draft.start_date || !draft.end_date || !endsAfterStart(circle, draft)) return null;
  if (circle === 'hourly' && !(draft.start_time && draft.end_time)) return null;
  const period = countPeriod(circle, draft, timeZone);
  return { period, total: paymentDue(price, period, draft.quantity) };
}
