import type { Answer } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';
import { onLive } from '../../api/live.ts';

interface AnswerInput extends Answer {
  userId: string;
  messageId: string;
  message: string;
  idempotencyKey: string;
}

const conversationApi = addEndpoints(({ query, mutation, build }) => ({
  conversation: query(at.getThread, {
    send: (params: { userId: string; threadId: string }) => ({ params }),
    transformResponse: ({ thread }) => thread,
    providesTags: ['Message'],
    // Once a booking continues the question, the page leads to it.
    async onCacheEntryAdded({ threadId }, { cacheEntryRemoved, updateCachedData }) {
      const stop = onLive('thread:changed', ({ questionId, bookingId }) => {
        if (questionId === threadId)
          updateCachedData((thread) => void Object.assign(thread, { bookingId }));
      });
      await cacheEntryRemoved;
      stop();
    },
  }),
  conversations: pages(build, at.myThreads, {
    limit: 30,
    send: (userId: string) => ({ params: { userId } }),
    providesTags: ['Message'],
    async onCacheEntryAdded(userId, { cacheEntryRemoved, dispatch }) {
      const refetch = () => {
        void dispatch(
          conversationApi.endpoints.conversations.initiate(userId, {
            forceRefetch: true,
            subscribe: false,
          }),
        );
      };
      const stops = [
        onLive('message:sent', refetch),
        onLive('reply:sent', refetch),
        onLive('thread:changed', refetch),
      ];
      await cacheEntryRemoved;
      for (const stop of stops) stop();
    },
  }),
  answerQuestion: mutation(at.answerQuestion, {
    send: ({ userId, messageId, idempotencyKey, ...body }: AnswerInput) => ({
      params: { userId, messageId },
      body,
      idempotencyKey,
    }),
    transformResponse: ({ reply }) => reply,
    invalidatesTags: (sent) => (sent ? ['Reply'] : []),
  }),
}));

export const { useConversationQuery, useConversationsInfiniteQuery, useAnswerQuestionMutation } =
  conversationApi;
