import type { ReplyOf, routes } from '@lendtools/contracts';
import { baseApi, startSession } from '../../api/base-api.ts';
import { settleLogout } from '../../api/owed-logout.ts';

type Message = { message: string };

const accountApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<ReplyOf<typeof routes.login>, { email: string; password: string }>({
      query: (body) => ({ url: 'login', method: 'POST', body }),
      onQueryStarted: async (_, { dispatch, getState, queryFulfilled }) => {
        // A refusal is the form's to show; here it only means that no session begins.
        const reply = await queryFulfilled.catch(() => null);
        if (!reply) return;
        // The cookie of whoever was logged in before is gone with this one.
        settleLogout();
        startSession({ dispatch, getState }, reply.data);
      },
    }),
    createAccount: build.mutation<ReplyOf<typeof routes.createAccount>, FormData>({
      query: (body) => ({ url: 'create-account', method: 'POST', body }),
    }),
    requestPasswordToken: build.mutation<Message, { email: string }>({
      query: (body) => ({ url: 'request-password-token', method: 'POST', body }),
    }),
    resetPassword: build.mutation<Message, { token: string; newPassword: string; userId?: string }>(
      { query: (body) => ({ url: 'reset-password', method: 'POST', body }) },
    ),
    confirmEmail: build.mutation<Message, { token: string }>({
      query: (body) => ({ url: 'confirm-email', method: 'POST', body }),
      invalidatesTags: ['User'],
    }),
  }),
});

export const {
  useLoginMutation,
  useCreateAccountMutation,
  useRequestPasswordTokenMutation,
  useResetPasswordMutation,
  useConfirmEmailMutation,
} = accountApi;
