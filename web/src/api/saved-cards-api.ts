import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

const savedCardsApi = addEndpoints(({ query, mutation }) => ({
  savedCards: query(at.savedCards, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ cards }) => cards,
    providesTags: ['Card'],
    // A payment may have kept another card.
    keepUnusedDataFor: 0,
  }),
  removeCard: mutation(at.removeCard, {
    send: (params: { userId: string; cardId: string }) => ({ params }),
    // Also after an error: the card may have been removed in another tab.
    invalidatesTags: ['Card'],
  }),
}));

export const { useSavedCardsQuery, useRemoveCardMutation } = savedCardsApi;
