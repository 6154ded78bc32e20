import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';
import { onLive } from '../../api/live.ts';

interface ReadAllInput {
  userId: string;
  bookingId?: string;
}

const noticesApi = addEndpoints(({ mutation, build }) => ({
  notices: pages(build, at.myNotices, {
    limit: 20,
    send: (userId: string) => ({ params: { userId } }),
    providesTags: ['Notice'],
    async onCacheEntryAdded(_, { cacheDataLoaded, cacheEntryRemoved, updateCachedData }) {
      const stop = onLive('notice:created', (notice) => {
        const add = () =>
          updateCachedData(({ pages }) => {
            const isListed = pages.some(({ notifications }) =>
              notifications.some(({ id }) => id === notice.id),
            );
            if (isListed || !pages[0]) return;
            pages[0].notifications.unshift(notice);
            pages[0].unread += 1;
          });
        // Add the notice once the first page has loaded: the push may arrive earlier, and the page may lack the notice.
        cacheDataLoaded.then(add, () => undefined);
      });
      await cacheEntryRemoved;
      stop();
    },
  }),
  readNotice: mutation(at.readNotice, {
    send: (params: { userId: string; id: string }) => ({ params }),
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
  readAllNotices: mutation(at.readAllNotices, {
    send: ({ userId, bookingId }: ReadAllInput) => ({ params: { userId }, query: { bookingId } }),
    // Refetch, because only the server knows whether a notice that arrived meanwhile was marked.
    invalidatesTags: (reply) => (reply ? ['Notice'] : []),
  }),
}));

export const { useNoticesInfiniteQuery, useReadNoticeMutation, useReadAllNoticesMutation } =
  noticesApi;
