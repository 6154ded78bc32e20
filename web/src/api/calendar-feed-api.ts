import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

const calendarFeedApi = addEndpoints(({ query, mutation }) => ({
  calendarFeed: query(at.calendarFeed, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ since }) => since,
    providesTags: ['CalendarFeed'],
  }),
  renewCalendarFeed: mutation(at.renewCalendarFeed, {
    send: ({ userId, password }: { userId: string; password: string }) => ({
      params: { userId },
      body: { password },
    }),
    invalidatesTags: ['CalendarFeed'],
  }),
  stopCalendarFeed: mutation(at.stopCalendarFeed, {
    send: (userId: string) => ({ params: { userId } }),
    invalidatesTags: ['CalendarFeed'],
  }),
}));

export const { useCalendarFeedQuery, useRenewCalendarFeedMutation, useStopCalendarFeedMutation } =
  calendarFeedApi;
