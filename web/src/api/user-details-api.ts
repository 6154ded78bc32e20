import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

const userDetailsApi = addEndpoints(({ query }) => ({
  userDetails: query(at.getUser, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ user }) => user,
    providesTags: ['User'],
  }),
}));

export const { useUserDetailsQuery } = userDetailsApi;
