import { skipToken } from '@reduxjs/toolkit/query/react';
import { useSearchParams } from 'react-router-dom';
import { useBookingDetailsQuery } from './bookings-api.ts';
import { useRefreshAtStart } from './use-refresh-at-start.ts';

/** The booking whose id is in the address, as `?id=`. */
export function useBookingFromAddress() {
  const [search] = useSearchParams();
  const id = search.get('id');
  // Nothing is pushed of a change that another tab has begun to pay for.
  const { data, currentData, error, refetch } = useBookingDetailsQuery(id ?? skipToken, {
    refetchOnFocus: true,
  });
  const missing = id ? undefined : { data: { message: 'This link is missing its booking.' } };
  // After a failed refresh the last known facts are better than an error page.
  const booking = currentData ?? (data?.id === id ? data : undefined);
  useRefreshAtStart(booking ? [booking] : []);
  return {
    booking,
    error: error ?? missing,
    reload: id ? () => void refetch() : undefined,
  };
}
