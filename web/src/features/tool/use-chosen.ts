import type { Tool } from '@lendtools/contracts';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { type BookingDraft, readDraft } from '../../lib/booking-draft.ts';
import { completeDraft } from '../../lib/booking-rules.ts';

/**
 * The user's choice or, until there is one, the draft in the address with the usual times filled in. The code that
 * fills them in is not part of the first load.
 */
export function useChosen(tool: Tool, chosen: BookingDraft | null): BookingDraft {
  const [params] = useSearchParams();
  const isMember = useUser() !== null;
  const [first] = useState(() => completeDraft(tool, readDraft(params), isMember));
  return chosen ?? first;
}
