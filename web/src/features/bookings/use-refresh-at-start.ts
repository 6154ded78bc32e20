import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { baseApi } from '../../api/base-api.ts';

/** The longest that a timer of a browser waits. */
const longestMs = 2 ** 31 - 1;

/** How old a booking may be that a page shows from what was fetched before. */
const keptMs = 60_000;

/** The allowed actions of a booking change when it begins: then bookings are fetched again. */
export function useRefreshAtStart(bookings: { startsAt: string }[]): void {
  const dispatch = useDispatch();
  // Of what begins between the fetching and the showing of a booking, its reply does not know.
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
