import type { Tool } from '@lendtools/contracts';
import { useMemo } from 'react';
import { useToolCalendar } from '../../api/availability-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { emptyDraft } from '../../rental/booking-draft.ts';
import { needsTimes } from '../../rental/booking-rules.ts';
import { nextFreeInWords } from '../../rental/next-free.ts';

/** Whether a tool is taken now, and a text about when it is free next, which may be empty. */
export function useNextFree(tool: Tool): { isTakenNow: boolean; nextFree: string } {
  const { calendar } = useToolCalendar(tool, emptyDraft);
  const withTimes = needsTimes(tool, useUser() !== null);
  const nextFree = useMemo(
    () => nextFreeInWords(tool, calendar, withTimes),
    [tool, calendar, withTimes],
  );
  return { isTakenNow: calendar.isTakenNow, nextFree };
}
