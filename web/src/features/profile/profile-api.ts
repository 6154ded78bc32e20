import type { ReplyOf, routes, User } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';

type Routes = typeof routes;

interface PasswordChange {
  userId: string;
  currentPassword: string;
  newPassword: string;
}

const profileApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    profile: build.query<User, string>({
      query: (email) => `get-user-by-email/${encodeURIComponent(email)}`,
      transformResponse: ({ user }: ReplyOf<Routes['getUserByEmail']>) => user,
      providesTags: ['User'],
    }),
    updateAccount: build.mutation<
      ReplyOf<Routes['updateAccount']>,
      { userId: string; form: FormData }
    >({
      query: ({ userId, form }) => ({
        url: `update-account/${userId}`,
        method: 'PUT',
        body: form,
      }),
      invalidatesTags: ['User', 'Tool'],
    }),
    changePassword: build.mutation<{ message: string }, PasswordChange>({
      query: (body) => ({ url: 'reset-password', method: 'POST', body }),
    }),
  }),
});

export const { useProfileQuery, useUpdateAccountMutation, useChangePasswordMutation } = profileApi;
