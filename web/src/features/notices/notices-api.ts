import type { ReplyOf, routes } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';
import { cursorPages } from '../../api/cursor-pages.ts';
import { onLive } from '../../api/live.ts';

type Routes = typeof routes;
type NoticesPage = ReplyOf<Routes['myNotices']>;

interface ReadAll {
  userId: string;
  /** Those about this booking alone. */
  bookingId?: string;
}

const pageSize = 20;

const noticesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    notices: build.infiniteQuery<NoticesPage, string, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg: userId, pageParam }) => ({
        url: `user/${userId}/notifications`,
        params: { limit: pageSize, ...(pageParam && { cursor: pageParam }) },
      }),
      providesTags: ['Notice'],
      async onCacheEntryAdded(_, { cacheDataLoaded, cacheEntryRemoved, updateCachedData }) {
        const stop = onLive('notice:created', (notice) => {
          const add = () =>
            updateCachedData(({ pages }) => {
              const known = pages.some(({ notifications }) =>
                notifications.some(({ id }) => id === notice.id),
              );
              if (known || !pages[0]) return;
              pages[0].notifications.unshift(notice);
              pages[0].unread += 1;
            });
          // A push may overtake the first answer, which then may not contain it.
          cacheDataLoaded.then(add, () => undefined);
        });
        await cacheEntryRemoved;
        stop();
      },
    }),
    readNotice: build.mutation<ReplyOf<Routes['readNotice']>, { userId: string; id: string }>({
      query: ({ userId, id }) => ({
        url: `user/${userId}/notifications/${id}/read`,
        method: 'PUT',
      }),
      async onQueryStarted({ userId, id }, { dispatch, queryFulfilled }) {
        const patch = dispatch(
          noticesApi.util.updateQueryData('notices', userId, ({ pages }) => {
            const notice = pages.flatMap((page) => page.notifications).find((n) => n.id === id);
            if (!notice || notice.readAt || !pages[0]) return;
            notice.readAt = new Date().toISOString();
            pages[0].unread -= 1;
          }),
        );
        await queryFulfilled.catch(() => patch.undo());
      },
    }),
    readAllNotices: build.mutation<ReplyOf<Routes['readAllNotices']>, ReadAll>({
      query: ({ userId, bookingId }) => ({
        url: `user/${userId}/notifications/read-all`,
        method: 'PUT',
        params: { bookingId },
      }),
      // Asked for anew: only the server knows whether what came meanwhile is among those it marked.
      invalidatesTags: (reply) => (reply ? ['Notice'] : []),
    }),
  }),
});

export const { useNoticesInfiniteQuery, useReadNoticeMutation, useReadAllNoticesMutation } =
  noticesApi;
