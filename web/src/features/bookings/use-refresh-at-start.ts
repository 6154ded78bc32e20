import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { baseApi } from '../../api/base-api.ts';

/** The longest delay of a browser's timer, in milliseconds. */
const longestMs = 2 ** 31 - 1;

/** The maximum age of a booking's data while it is on the screen, in milliseconds. */
const keptMs = 60_000;

/** Refetches a booking when its rental starts, because the allowed actions change at that time. */
export function useRefreshAtStart(bookings: { startsAt: string }[]): void {
  const dispatch = useDispatch();
  // A rental may have started between its fetch and its display, so refetch for recent starts too.
  const [since, setSince] = useState(() => Date.now() - keptMs);
  const starts = bookings.map(({ startsAt }) => Date.parse(startsAt));
  const next = Math.min(...starts.filter((startMs) => startMs > since));
  useEffect(() => {
    const waitMs = next - Date.now();
    if (waitMs > longestMs) return;
    const refresh = () => {
      setSince(next);
      dispatch(baseApi.util.invalidateTags(['Booking']));
    };
    const timer = setTimeout(refresh, Math.max(0, waitMs) + 1_000);
    return () => clearTimeout(timer);
  }, [next, dispatch]);
}
