import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../api/add-endpoints.ts';

const sessionApi = addEndpoints(({ mutation }) => ({
  // Nobody waits longer for a server that does not answer; it hears of the logout later.
  logout: mutation(at.logout, { send: () => ({ body: {}, timeout: 10_000 }) }),
}));

export const { useLogoutMutation } = sessionApi;
