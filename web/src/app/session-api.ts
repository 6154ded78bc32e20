import { baseApi } from '../api/base-api.ts';

const sessionApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    logout: build.mutation<{ message: string }, void>({
      query: () => ({ url: 'logout', method: 'POST', body: {} }),
    }),
  }),
});

export const { useLogoutMutation } = sessionApi;
