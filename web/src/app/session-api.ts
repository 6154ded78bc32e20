import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../api/add-endpoints.ts';

const sessionApi = addEndpoints(({ mutation }) => ({
  // After the timeout the logout stays pending and is retried later.
  logout: mutation(at.logout, { send: () => ({ body: {}, timeout: 10_000 }) }),
}));

export const { useLogoutMutation } = sessionApi;
