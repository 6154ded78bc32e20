import type { BookingTimes } from './booking-price.ts';
import { timeOptions } from './time-options.ts';

export interface BookingDraft extends BookingTimes {
  quantity: number;
}

const timeFields = ['start_date', 'start_time', 'end_date', 'end_time'] as const;
const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a valid day. `Date.parse` reads February 30 as a day in March, so compare the result. */
export function isDay(text: string) {
  return datePattern.test(text) && new Date(Date.parse(text) || 0).toISOString().startsWith(text);
}

export const emptyDraft: BookingDraft = {
  start_date: '',
  start_time: '',
  end_date: '',
  end_time: '',
  quantity: 1,
};

/** Writes the draft as a query string: in the URL, it survives a reload, a login or a sign-up. */
export function writeDraft(toolId: string, draft: BookingDraft): string {
  const params = new URLSearchParams({ id: toolId });
  for (const field of timeFields) if (draft[field]) params.set(field, draft[field]);
  if (draft.quantity !== 1) params.set('quantity', String(draft.quantity));
  return params.toString();
}

/** Reads a draft back; invalid values are left empty. */
export function readDraft(params: URLSearchParams): BookingDraft {
  const get = (field: (typeof timeFields)[number]) => params.get(field) ?? '';
  const date = (field: 'start_date' | 'end_date') => (isDay(get(field)) ? get(field) : '');
  // Accept only the server's spelling of a time, such as `9.00 AM`, because another spelling would not equal the times
  // of the hold.
  const time = (field: 'start_time' | 'end_time') =>
    timeOptions.includes(get(field)) ? get(field) : '';
  const quantity = Number(params.get('quantity') ?? 1);
  return {
    start_date: date('start_date'),
    start_time: time('start_time'),
    end_date: date('end_date'),
    end_time: time('end_time'),
    quantity: Number.isInteger(quantity) && quantity >= 1 ? quantity : 1,
  };
}
