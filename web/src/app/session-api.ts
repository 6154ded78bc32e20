import { baseApi } from '../api/base-api.ts';

const sessionApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    logout: build.mutation<{ message: string }, void>({
      // Nobody waits longer for a server that does not answer; it hears of the logout later.
      query: () => ({ url: 'logout', method: 'POST', body: {}, timeout: 10_000 }),
    }),
  }),
});

export const { useLogoutMutation } = sessionApi;
