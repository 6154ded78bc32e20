import type { Availability, Tool } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { furthestDays } from '@lendtools/contracts/rental-period';
import { useEffect, useMemo, useState } from 'react';
import type { BookingDraft } from '../lib/booking-draft.ts';
import { makeToolCalendar, type ToolCalendar } from '../lib/tool-calendar.ts';
import { addEndpoints } from './add-endpoints.ts';
import { baseApi } from './base-api.ts';
import { call } from './call.ts';
import { onLive } from './live.ts';
import { watchTool } from './watch-tool.ts';

/** What the server answers at once, and how far ahead anybody books. */
const pageDays = 92;
const lastPageDays = furthestDays + pageDays;
/** Everybody who looks hears of a change at the same instant: they ask spread over this time. */
const spreadMs = 1_500;

const lastDayOf = ({ days }: Availability) => days.at(-1)?.date ?? '';

const availabilityApi = addEndpoints(({ build }) => ({
  /** A tool's calendar from its own today on, page by page. What others do to it is pushed while it is on the screen. */
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
    // Asked for anew each time that it is shown: whoever is not looking is told of no change.
    keepUnusedDataFor: 0,
    onCacheEntryAdded: async ({ id }, { cacheDataLoaded, cacheEntryRemoved, dispatch }) => {
      let isLoaded = false;
      const askAgain = ({ toolId }: { toolId: string }) => {
        if (toolId === id && isLoaded)
          dispatch(baseApi.util.invalidateTags([{ type: 'Availability', id }]));
      };
      let timer: ReturnType<typeof setTimeout> | undefined;
      // Changes until then are in the same answer; to wait anew at each would never end on a busy day.
      const askSoon = (change: { toolId: string }) => {
        if (change.toolId !== id) return;
        timer ??= setTimeout(() => {
          timer = undefined;
          askAgain(change);
        }, Math.random() * spreadMs);
      };
      const stops = [
        onLive('availability:changed', askSoon),
        // What has changed between the answer and the moment from which on the hub tells.
        onLive('watching', askAgain),
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
 * A tool's calendar, known at least until a draft's end and as far as somebody has looked (`onLook`), as soon as it has come.
 * Without an answer it is that of the tool's terms alone, in which nothing is taken: the hold decides anyway. Whoever changes
 * a booking is not kept from what it has.
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
