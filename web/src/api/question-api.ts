import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

interface QuestionInput {
  userId: string;
  toolId: string;
  message: string;
  idempotencyKey: string;
}

const questionApi = addEndpoints(({ query, mutation }) => ({
  question: query(at.findQuestion, {
    send: (params: { userId: string; toolId: string }) => ({ params }),
    transformResponse: ({ thread }) => thread,
    providesTags: ['Message'],
  }),
  sendQuestion: mutation(at.sendQuestion, {
    send: ({ userId, toolId, message, idempotencyKey }: QuestionInput) => ({
      params: { userId, toolId },
      body: { message },
      idempotencyKey,
    }),
    transformResponse: ({ messaging }) => messaging,
    // Also after an error: the question may exist already.
    invalidatesTags: ['Message'],
  }),
}));

export const { useQuestionQuery, useLazyQuestionQuery, useSendQuestionMutation } = questionApi;
