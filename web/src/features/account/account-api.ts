import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { startSession } from '../../api/base-api.ts';
import { settleLogout } from '../../api/owed-logout.ts';

const accountApi = addEndpoints(({ mutation }) => ({
  login: mutation(at.login, {
    send: (body: { email: string; password: string }) => ({ body }),
    onQueryStarted: async (_, { dispatch, getState, queryFulfilled }) => {
      const reply = await queryFulfilled.catch(() => null);
      if (!reply) return;
      // The login replaced the previous user's cookie, so a pending logout of that user is done.
      settleLogout();
      startSession({ dispatch, getState }, reply.data);
    },
  }),
  createAccount: mutation(at.createAccount, { send: (body: FormData) => ({ body }) }),
  requestPasswordToken: mutation(at.requestPasswordToken, {
    send: (body: { email: string }) => ({ body }),
  }),
  resetPassword: mutation(at.resetPassword, {
    send: (body: { token: string; newPassword: string; userId?: string }) => ({ body }),
  }),
  confirmEmail: mutation(at.confirmEmail, {
    send: (body: { token: string }) => ({ body }),
    invalidatesTags: ['User'],
  }),
}));

export const {
  useLoginMutation,
  useCreateAccountMutation,
  useRequestPasswordTokenMutation,
  useResetPasswordMutation,
  useConfirmEmailMutation,
} = accountApi;
