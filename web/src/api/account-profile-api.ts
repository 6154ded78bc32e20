import type { User } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

const accountProfileApi = addEndpoints(({ query, mutation }) => ({
  profile: query(at.getUserByEmail, {
    send: (email: string) => ({ params: { email } }),
    transformResponse: ({ user }) => user,
    providesTags: ['User'],
  }),
  updateAccount: mutation(at.updateAccount, {
    send: ({ user, form }: { user: User; form: FormData }) => ({
      params: { userId: user.id },
      body: form,
      ifMatch: user.revision,
    }),
    invalidatesTags: ['User', 'Tool'],
  }),
  sendVerification: mutation(at.sendVerification, {
    send: (userId: string) => ({ params: { userId } }),
  }),
}));

export const { useProfileQuery, useUpdateAccountMutation, useSendVerificationMutation } =
  accountProfileApi;
