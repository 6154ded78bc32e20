import { skipToken } from '@reduxjs/toolkit/query/react';
import { useSearchParams } from 'react-router-dom';
import { useBookingDetailsQuery } from './bookings-api.ts';
import { useRefreshAtStart } from './use-refresh-at-start.ts';

export function useBookingFromAddress() {
  const [search] = useSearchParams();
  const id = search.get('id');
  // There is no push for a change that was started in another tab, so refetch on focus.
  const { data, currentData, error, refetch } = useBookingDetailsQuery(id ?? skipToken, {
    refetchOnFocus: true,
  });
  const missing = id ? undefined : { data: { message: 'This link is missing its booking.' } };
  // If a refetch fails, keep showing the last known data.
  const booking = currentData ?? (data?.id === id ? data : undefined);
  useRefreshAtStart(booking ? [booking] : []);
  return {
    booking,
    error: error ?? missing,
    reload: id ? () => void refetch() : undefined,
  };
}
