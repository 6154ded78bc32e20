import type { NewPasskeyInput, NoticeTopic, Topic } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { renewAccessToken } from '../../api/base-api.ts';
import { loadFile } from '../../api/load-file.ts';

interface PasswordChange {
  userId: string;
  currentPassword: string;
  newPassword: string;
}

export type Switched = { isOn: boolean } & (
  | { channel: 'emails'; topic: Topic }
  | { channel: 'notices'; topic: NoticeTopic }
);

/** What `onQueryStarted` of a mutation gets, as far as the renewal needs it. */
interface FactorCall {
  dispatch: Parameters<typeof renewAccessToken>[0]['dispatch'];
  getState: () => unknown;
  queryFulfilled: Promise<unknown>;
}

/** An admin who needed the second factor gets the role with the next access token. */
async function renewWhenDone({ dispatch, getState, queryFulfilled }: FactorCall) {
  const isDone = await queryFulfilled.then(
    () => true,
    () => false,
  );
  if (isDone) await renewAccessToken({ dispatch, getState });
}

const profileApi = addEndpoints(({ query, mutation, build }) => ({
  sessions: query(at.sessions, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ sessions }) => sessions,
    providesTags: ['Session'],
  }),
  endSession: mutation(at.endSession, {
    send: (params: { userId: string; id: string }) => ({ params }),
    invalidatesTags: ['Session'],
  }),
  endOtherSessions: mutation(at.endOtherSessions, {
    send: (userId: string) => ({ params: { userId } }),
    invalidatesTags: ['Session'],
  }),
  startTotp: mutation(at.startTotp, { send: (userId: string) => ({ params: { userId } }) }),
  // Doesn't invalidate the second factors: the page would leave the recovery codes before they are saved.
  confirmTotp: mutation(at.confirmTotp, {
    send: ({ userId, code }: { userId: string; code: string }) => ({
      params: { userId },
      body: { code },
    }),
    onQueryStarted: (_, call) => renewWhenDone(call),
  }),
  startPasskey: mutation(at.startPasskey, { send: (userId: string) => ({ params: { userId } }) }),
  addPasskey: mutation(at.addPasskey, {
    send: ({ userId, passkey }: { userId: string; passkey: NewPasskeyInput }) => ({
      params: { userId },
      body: { passkey },
    }),
    onQueryStarted: (_, call) => renewWhenDone(call),
    invalidatesTags: ['SecondFactor'],
  }),
  renamePasskey: mutation(at.renamePasskey, {
    send: ({ name, ...params }: { userId: string; id: string; name: string }) => ({
      params,
      body: { name },
    }),
    invalidatesTags: ['SecondFactor'],
  }),
  removePasskey: mutation(at.removePasskey, {
    send: (params: { userId: string; id: string }) => ({ params }),
    invalidatesTags: ['SecondFactor'],
  }),
  removeTotp: mutation(at.removeTotp, {
    send: (userId: string) => ({ params: { userId } }),
    invalidatesTags: ['SecondFactor'],
  }),
  renewRecoveryCodes: mutation(at.renewRecoveryCodes, {
    send: (userId: string) => ({ params: { userId } }),
    invalidatesTags: ['SecondFactor'],
  }),
  preferences: query(at.preferences, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ preferences }) => preferences,
    providesTags: ['Preferences'],
  }),
  // Optimistic update: the switch changes at once, and changes back if the request fails.
  setPreferences: mutation(at.setPreferences, {
    send: ({ userId, switched }: { userId: string; switched: Switched }) => ({
      params: { userId },
      body: { [switched.channel]: { [switched.topic]: switched.isOn } },
    }),
    onQueryStarted: async ({ userId, switched }, { dispatch, queryFulfilled }) => {
      const shown = dispatch(
        profileApi.util.updateQueryData('preferences', userId, (preferences) => {
          Object.assign(preferences[switched.channel], { [switched.topic]: switched.isOn });
        }),
      );
      await queryFulfilled.catch(shown.undo);
    },
    // Refetch: the server may have received two quick changes in another order.
    invalidatesTags: ['Preferences'],
  }),
  requestDeletion: mutation(at.requestDeletion, {
    send: (userId: string) => ({ params: { userId } }),
  }),
  requestDataExport: mutation(at.requestDataExport, {
    send: (userId: string) => ({ params: { userId } }),
  }),
  dataExport: loadFile(build, at.dataExport, (params: { userId: string; id: string }) => ({
    params,
  })),
  changePassword: mutation(at.resetPassword, { send: (body: PasswordChange) => ({ body }) }),
}));

export const {
  useChangePasswordMutation,
  usePreferencesQuery,
  useSetPreferencesMutation,
  useRequestDeletionMutation,
  useRequestDataExportMutation,
  useDataExportMutation,
  useStartTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useStartPasskeyMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
  useRenewRecoveryCodesMutation,
  useSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
} = profileApi;
