import type { Response } from 'express';
import type { Deps } from './deps.ts';
import { toApiUser, type User } from './user-repository.ts';

/** A session as its transaction left it. `issuedAtMs` was read while the user was held: a change after it cuts it. */
export interface Grant {
  user: User;
  sessionId: string;
  refreshToken: string;
  issuedAtMs: number;
}

/** The documented `{user, token}`, and the refresh token in its cookie. */
export const grantAccess = async ({ tokens, cookie }: Deps, response: Response, grant: Grant) => {
  const token = await tokens.sign(grant.user, grant.sessionId, grant.issuedAtMs);
  cookie.set(response, grant.refreshToken);
  response.set('Cache-Control', 'no-store');
  return { user: { ...toApiUser(grant.user), token }, token };
};
