import type { PasskeyAnswer } from '@lendtools/contracts';
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

type Proof = { password: string; code?: string } | { passkey: PasskeyAnswer };

const loginApi = addEndpoints(({ query, mutation }) => ({
  secondFactors: query(at.secondFactors, {
    send: (userId: string) => ({ params: { userId } }),
    providesTags: ['SecondFactor'],
  }),
  login: mutation(at.login, {
    send: (body: { email: string; password: string; keepAccount?: boolean }) => ({ body }),
    onQueryStarted: (_, call) => startSessionWhenDone(call),
  }),
  secondFactorLogin: mutation(at.secondFactorLogin, {
    send: (
      body: { challenge: string; keepAccount?: boolean } & (
        | { code: string }
        | { passkey: PasskeyAnswer }
      ),
    ) => ({ body }),
    onQueryStarted: (_, call) => startSessionWhenDone(call),
  }),
  startPasskeyLogin: mutation(at.startPasskeyLogin, {}),
  passkeyLogin: mutation(at.passkeyLogin, {
    send: (body: { passkey: PasskeyAnswer; keepAccount?: boolean }) => ({ body }),
    onQueryStarted: (_, call) => startSessionWhenDone(call),
  }),
  startPasskeyCheck: mutation(at.startPasskeyCheck, {
    send: (userId: string) => ({ params: { userId } }),
  }),
  reauthenticate: mutation(at.reauthenticate, {
    send: ({ userId, ...body }: { userId: string } & Proof) => ({ params: { userId }, body }),
    onQueryStarted: async (_, { dispatch, getState, queryFulfilled }) => {
      const reply = await queryFulfilled.catch(() => null);
      if (reply) startSession({ dispatch, getState }, reply.data);
    },
    invalidatesTags: ['Session'],
  }),
  createAccount: mutation(at.createAccount, { send: (body: FormData) => ({ body }) }),
}));

export const {
  useSecondFactorsQuery,
  useLoginMutation,
  useSecondFactorLoginMutation,
  useReauthenticateMutation,
  useStartPasskeyCheckMutation,
  useStartPasskeyLoginMutation,
  usePasskeyLoginMutation,
  useCreateAccountMutation,
} = loginApi;
