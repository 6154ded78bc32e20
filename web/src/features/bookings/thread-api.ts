import type { Reply, ReplyOf, routes, ThreadMessage } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';
import { onLive } from '../../api/live.ts';

type Routes = typeof routes;
type RepliesPage = ReplyOf<Routes['myReplies']>;

interface Sent {
  message: string;
  /** The same for every try, so that a lost answer never makes a second message. */
  idempotencyKey: string;
}

const pageLimit = 200;

/** Adds a reply once, whether it came as the answer, as a push, or as both. */
function addReply(replies: Reply[], added: Reply): void {
  if (!replies.some(({ id }) => id === added.id)) replies.push(added);
}

/** What a call answered; a refusal is told where the call was made. */
const dataOf = <T>(answer: Promise<{ data: T }>): Promise<T | undefined> =>
  answer.then(
    ({ data }) => data,
    () => undefined,
  );

/**
 * Patches a cached reply by pushes as long as it is cached. A push that overtakes the first answer
 * waits for it: it may say what that answer was too early to contain.
 */
async function hearWhileCached(
  lifecycle: { cacheDataLoaded: Promise<unknown>; cacheEntryRemoved: Promise<void> },
  listen: (afterLoad: (patch: () => void) => void) => () => void,
): Promise<void> {
  const stop = listen((patch) => {
    lifecycle.cacheDataLoaded.then(patch, () => undefined);
  });
  await lifecycle.cacheEntryRemoved;
  stop();
}

const threadApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    firstMessage: build.query<ThreadMessage | null, string>({
      query: (bookingId) => `messaging/${bookingId}/my-messages`,
      transformResponse: ({ messaging }: ReplyOf<Routes['myMessages']>) => messaging[0] ?? null,
      providesTags: ['Message'],
      onCacheEntryAdded: (bookingId, lifecycle) =>
        hearWhileCached(lifecycle, (afterLoad) =>
          onLive('message:sent', (message) => {
            if (message.bookingId !== bookingId) return;
            afterLoad(() => lifecycle.updateCachedData(() => message));
          }),
        ),
    }),
    replies: build.query<Reply[], string>({
      async queryFn(messageId, _api, _options, ask) {
        const replies: Reply[] = [];
        let cursor: string | null = null;
        do {
          const params: Record<string, unknown> = { limit: pageLimit, ...(cursor && { cursor }) };
          const answer = await ask({ url: `replies/${messageId}/my-replies`, params });
          if (answer.error) return { error: answer.error };
          const page = answer.data as RepliesPage;
          replies.push(...page.replies);
          cursor = page.nextCursor;
        } while (cursor);
        return { data: replies };
      },
      providesTags: ['Reply'],
      onCacheEntryAdded: (messageId, lifecycle) =>
        hearWhileCached(lifecycle, (afterLoad) =>
          onLive('reply:sent', (reply) => {
            if (reply.messageId !== messageId) return;
            afterLoad(() => lifecycle.updateCachedData((replies) => addReply(replies, reply)));
          }),
        ),
    }),
    sendMessage: build.mutation<ThreadMessage, Sent & { bookingId: string; userId: string }>({
      query: ({ bookingId, userId, message, idempotencyKey }) => ({
        url: `rentalBookings/${bookingId}/send-message`,
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: { message, userId },
      }),
      transformResponse: ({ messaging }: ReplyOf<Routes['sendMessage']>) => messaging,
      async onQueryStarted({ bookingId }, { dispatch, queryFulfilled }) {
        const data = await dataOf(queryFulfilled);
        if (data) dispatch(threadApi.util.updateQueryData('firstMessage', bookingId, () => data));
      },
    }),
    sendReply: build.mutation<Reply, Sent & { messageId: string; userId: string }>({
      query: ({ messageId, userId, message, idempotencyKey }) => ({
        url: `user/${userId}/messaging/${messageId}/send-reply`,
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: { message },
      }),
      transformResponse: ({ reply }: ReplyOf<Routes['sendReply']>) => reply,
      async onQueryStarted({ messageId }, { dispatch, queryFulfilled }) {
        const data = await dataOf(queryFulfilled);
        if (!data) return;
        dispatch(
          threadApi.util.updateQueryData('replies', messageId, (replies) =>
            addReply(replies, data),
          ),
        );
      },
    }),
  }),
});

export const {
  useFirstMessageQuery,
  useRepliesQuery,
  useSendMessageMutation,
  useSendReplyMutation,
} = threadApi;
