import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { baseApi } from '../../api/base-api.ts';

/** The longest that a timer of a browser waits. */
const longestMs = 2 ** 31 - 1;

/** The allowed actions of a booking change when it begins: then bookings are fetched again. */
export function useRefreshAtStart(bookings: { startsAt: string }[]): void {
  const dispatch = useDispatch();
  const starts = bookings.map(({ startsAt }) => Date.parse(startsAt));
  const next = Math.min(...starts.filter((startMs) => startMs > Date.now()));
  useEffect(() => {
    const waitMs = next - Date.now();
    if (waitMs > longestMs) return;
    const refresh = () => dispatch(baseApi.util.invalidateTags(['Booking']));
    const timer = setTimeout(refresh, Math.max(0, waitMs) + 1_000);
    return () => clearTimeout(timer);
  }, [next, dispatch]);
}
