import { skipToken } from '@reduxjs/toolkit/query/react';
import { useSearchParams } from 'react-router-dom';
import { useBookingDetailsQuery } from './bookings-api.ts';

/** The booking that the address names as `?id=`. */
export function useBookingFromAddress() {
  const [search] = useSearchParams();
  const id = search.get('id');
  const { data, currentData, error, refetch } = useBookingDetailsQuery(id ?? skipToken);
  const missing = id ? undefined : { data: { message: 'This link is missing its booking.' } };
  return {
    // After a failed refresh the last known facts are better than an error page.
    booking: currentData ?? (data?.id === id ? data : undefined),
    error: error ?? missing,
    reload: id ? () => void refetch() : undefined,
  };
}
