import type { Tool } from '@lendtools/contracts';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { type BookingDraft, readDraft } from '../../rental/booking-draft.ts';
import { completeDraft } from '../../rental/booking-rules.ts';

/** Returns the user's choice. Before a choice: the dates in the URL, with the usual times filled in. */
export function useChosen(tool: Tool, chosen: BookingDraft | null): BookingDraft {
  const [params] = useSearchParams();
  const isMember = useUser() !== null;
  const [first] = useState(() => completeDraft(tool, readDraft(params), isMember));
  return chosen ?? first;
}
