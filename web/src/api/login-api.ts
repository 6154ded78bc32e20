import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';
import { startSession } from './base-api.ts';
import { settleLogout } from './owed-logout.ts';

/** What `onQueryStarted` of a mutation gets, as far as a login needs it. */
interface LoginCall {
  dispatch: Parameters<typeof startSession>[0]['dispatch'];
  getState: () => unknown;
  queryFulfilled: Promise<{ data: Parameters<typeof startSession>[1] }>;
}

async function startSessionWhenDone({ dispatch, getState, queryFulfilled }: LoginCall) {
  const reply = await queryFulfilled.catch(() => null);
  if (!reply) return;
  // The login replaced the previous user's cookie, so a pending logout of that user is done.
  settleLogout();
  startSession({ dispatch, getState }, reply.data);
}

const loginApi = addEndpoints(({ mutation }) => ({
  login: mutation(at.login, {
    send: (body: { email: string; password: string; keepAccount?: boolean }) => ({ body }),
    onQueryStarted: (_, call) => startSessionWhenDone(call),
  }),
  secondFactorLogin: mutation(at.secondFactorLogin, {
    send: (body: { challenge: string; code: string; keepAccount?: boolean }) => ({ body }),
    onQueryStarted: (_, call) => startSessionWhenDone(call),
  }),
  reauthenticate: mutation(at.reauthenticate, {
    send: ({ userId, ...body }: { userId: string; password: string; code?: string }) => ({
      params: { userId },
      body,
    }),
    onQueryStarted: async (_, { dispatch, getState, queryFulfilled }) => {
      const reply = await queryFulfilled.catch(() => null);
      if (reply) startSession({ dispatch, getState }, reply.data);
    },
    invalidatesTags: ['Session'],
  }),
  createAccount: mutation(at.createAccount, { send: (body: FormData) => ({ body }) }),
}));

export const {
  useLoginMutation,
  useSecondFactorLoginMutation,
  useReauthenticateMutation,
  useCreateAccountMutation,
} = loginApi;
