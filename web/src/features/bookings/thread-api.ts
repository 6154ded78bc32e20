import type { Reply } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { allPages } from '../../api/all-pages.ts';
import { errorCode } from '../../api/error-message.ts';
import { onLive } from '../../api/live.ts';

interface MessageInput {
  message: string;
  /** The idempotency key: the same on every retry, so that a lost reply never leads to a second message. */
  idempotencyKey: string;
}

type FirstMessage = MessageInput & { bookingId: string; userId: string };
type ReplyInput = MessageInput & { messageId: string; userId: string };

/** A reply can arrive as the response, as a push, or both; add it only once. */
function addReply(replies: Reply[], added: Reply): void {
  if (!replies.some(({ id }) => id === added.id)) replies.push(added);
}

/** The data of a request, or undefined on failure; the component that sent the request shows the error. */
function dataOf<T>(answer: Promise<{ data: T }>): Promise<T | undefined> {
  return answer.then(
    ({ data }) => data,
    () => undefined,
  );
}

/** Applies pushes to a cached list. Early pushes are applied after the load, because the loaded list may be older. */
async function listenWhileCached(
  lifecycle: { cacheDataLoaded: Promise<unknown>; cacheEntryRemoved: Promise<void> },
  listen: (afterLoad: (patch: () => void) => void) => () => void,
): Promise<void> {
  const stop = listen((patch) => {
    lifecycle.cacheDataLoaded.then(patch, () => undefined);
  });
  await lifecycle.cacheEntryRemoved;
  stop();
}

/** Reloads the thread if it has closed since it was loaded, because of a block or the 30-day limit. */
function closedTags(_: unknown, error: unknown): 'Message'[] {
  return errorCode(error) === 'THREAD_CLOSED' ? ['Message'] : [];
}

const threadApi = addEndpoints(({ query, mutation, build }) => ({
  firstMessage: query(at.myMessages, {
    send: (bookingId: string) => ({ params: { bookingId } }),
    transformResponse: ({ messaging }) => messaging[0] ?? null,
    providesTags: ['Message'],
    onCacheEntryAdded: (bookingId, lifecycle) =>
      listenWhileCached(lifecycle, (afterLoad) => {
        const stops = [
          onLive('message:sent', (message) => {
            if (message.bookingId !== bookingId) return;
            afterLoad(() => lifecycle.updateCachedData(() => message));
          }),
          // A question's messages are now those of the booking, or contact details are no longer masked.
          onLive('thread:changed', (thread) => {
            if (thread.bookingId !== bookingId) return;
            lifecycle.dispatch(threadApi.util.invalidateTags(['Message', 'Reply']));
          }),
        ];
        return () => {
          for (const stop of stops) stop();
        };
      }),
  }),
  replies: allPages(build, at.myReplies, {
    send: (messageId: string) => ({ params: { messageId } }),
    rowsOf: ({ replies }) => replies,
    most: Number.POSITIVE_INFINITY,
    providesTags: ['Reply'],
    onCacheEntryAdded: (messageId, lifecycle) =>
      listenWhileCached(lifecycle, (afterLoad) =>
        onLive('reply:sent', (reply) => {
          if (reply.messageId !== messageId) return;
          afterLoad(() => lifecycle.updateCachedData(({ rows }) => addReply(rows, reply)));
        }),
      ),
  }),
  sendMessage: mutation(at.sendMessage, {
    send: ({ bookingId, userId, message, idempotencyKey }: FirstMessage) => ({
      params: { bookingId },
      body: { message, userId },
      idempotencyKey,
    }),
    transformResponse: ({ messaging }) => messaging,
    invalidatesTags: closedTags,
    async onQueryStarted({ bookingId }, { dispatch, queryFulfilled }) {
      const data = await dataOf(queryFulfilled);
      if (data) dispatch(threadApi.util.updateQueryData('firstMessage', bookingId, () => data));
    },
  }),
  sendReply: mutation(at.sendReply, {
    send: ({ messageId, userId, message, idempotencyKey }: ReplyInput) => ({
      params: { userId, messageId },
      body: { message },
      idempotencyKey,
    }),
    transformResponse: ({ reply }) => reply,
    invalidatesTags: closedTags,
    async onQueryStarted({ messageId }, { dispatch, queryFulfilled }) {
      const data = await dataOf(queryFulfilled);
      if (!data) return;
      dispatch(
        threadApi.util.updateQueryData('replies', messageId, ({ rows }) => addReply(rows, data)),
      );
    },
  }),
}));

export const {
  useFirstMessageQuery,
  useRepliesQuery,
  useSendMessageMutation,
  useSendReplyMutation,
} = threadApi;
