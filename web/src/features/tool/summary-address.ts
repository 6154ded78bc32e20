import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { type BookingDraft, writeDraft } from '../../rental/booking-draft.ts';

export function summaryAddress(tool: Tool, draft: BookingDraft, isMember: boolean): string {
  const base = isMember ? paths.memberBookingSummary : paths.bookingSummary;
  return `${base}?${writeDraft(tool.id, draft)}`;
}
