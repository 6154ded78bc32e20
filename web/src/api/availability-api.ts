import type { Availability, Tool } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { furthestDays } from '@lendtools/contracts/rental-period';
import { useEffect, useMemo, useState } from 'react';
import type { BookingDraft } from '../rental/booking-draft.ts';
import { makeToolCalendar, type ToolCalendar } from '../rental/tool-calendar.ts';
import { addEndpoints } from './add-endpoints.ts';
import { baseApi } from './base-api.ts';
import { call } from './call.ts';
import { onLive } from './live.ts';
import { watchTool } from './watch-tool.ts';

/** The number of days of availability that the server returns per request. */
const pageDays = 92;
const lastPageDays = furthestDays + pageDays;
/** The maximum random delay before a refetch. It spreads requests, because a push reaches all viewers at once. */
const spreadMs = 1_500;

function lastDayOf({ days }: Availability) {
  return days.at(-1)?.date ?? '';
}

const availabilityApi = addEndpoints(({ build }) => ({
  /** A tool's availability from today on, in the tool's time zone. While it is on the screen, pushes keep it current. */
  availability: build.infiniteQuery<
    Availability,
    { id: string; today: string; booking_id?: string },
    string
  >({
    infiniteQueryOptions: {
      initialPageParam: '',
      getNextPageParam: (page, _pages, _from, _froms, { today }) => {
        const from = laterDay(lastDayOf(page), 1);
        return from < laterDay(today, lastPageDays) ? from : undefined;
      },
    },
    query: ({ queryArg: { id, today, booking_id }, pageParam }) => {
      const from = pageParam || today;
      const query = { from, to: laterDay(from, pageDays - 1), booking_id };
      return call(at.toolAvailability, { params: { id }, query });
    },
    transformResponse: ({ availability }: { availability: Availability }) => availability,
    providesTags: (_, __, { id }) => [{ type: 'Availability', id }],
    // Drop an unused calendar from the cache at once: no pushes arrive for a calendar that is not on the screen.
    keepUnusedDataFor: 0,
    onCacheEntryAdded: async ({ id }, { cacheDataLoaded, cacheEntryRemoved, dispatch }) => {
      let isLoaded = false;
      const refetchNow = ({ toolId }: { toolId: string }) => {
        if (toolId === id && isLoaded)
          dispatch(baseApi.util.invalidateTags([{ type: 'Availability', id }]));
      };
      let timer: ReturnType<typeof setTimeout> | undefined;
      // Don't restart a running timer: frequent changes could postpone the refetch endlessly.
      const refetchSoon = (change: { toolId: string }) => {
        if (change.toolId !== id) return;
        timer ??= setTimeout(() => {
          timer = undefined;
          refetchNow(change);
        }, Math.random() * spreadMs);
      };
      const stops = [
        onLive('availability:changed', refetchSoon),
        // Refetch, because the calendar may have changed between the reply and the start of the subscription.
        onLive('watching', refetchNow),
        watchTool(id),
        () => clearTimeout(timer),
      ];
      void cacheDataLoaded.then(
        () => {
          isLoaded = true;
        },
        () => undefined,
      );
      await cacheEntryRemoved;
      for (const stop of stops) stop();
    },
  }),
}));

const { useAvailabilityInfiniteQuery } = availabilityApi;

/**
 * Loads a tool's calendar up to the chosen end date or the last day shown, whichever is later. Until the calendar has
 * loaded, all days count as free; the server checks the dates again. The dates of the `booking` being changed also count as free.
 */
export function useToolCalendar(
  tool: Tool,
  { end_date }: BookingDraft,
  booking?: BookingDraft & { id: string },
): { calendar: ToolCalendar; onLook: (day: string) => void } {
  const { id, timeZone } = tool;
  const [lookedAt, onLook] = useState('');
  const until = lookedAt > end_date ? lookedAt : end_date;
  const today = localDate(timeZone, Date.now());
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useAvailabilityInfiniteQuery({
    id,
    today,
    ...(booking && { booking_id: booking.id }),
  });
  const last = data?.pages.at(-1);
  const needsMore = last !== undefined && lastDayOf(last) < until && hasNextPage;
  useEffect(() => {
    if (needsMore && !isFetching && !isError) void fetchNextPage();
  }, [needsMore, isFetching, isError, fetchNextPage]);
  const calendar = useMemo(
    () => makeToolCalendar(tool, data?.pages ?? [], booking),
    [tool, data, booking],
  );
  return { calendar, onLook };
}
