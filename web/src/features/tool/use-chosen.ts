import type { Tool } from '@lendtools/contracts';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { type BookingDraft, readDraft } from '../../lib/booking-draft.ts';
import { completeDraft } from '../../lib/booking-rules.ts';

/** What is chosen: at first what the address says, with the usual times. The rules that fill them in are not part of the first load. */
export function useChosen(tool: Tool, chosen: BookingDraft | null): BookingDraft {
  const [params] = useSearchParams();
  const isMember = useUser() !== null;
  const [first] = useState(() => completeDraft(tool, readDraft(params), isMember));
  return chosen ?? first;
}
