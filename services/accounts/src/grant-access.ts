import type { Request, Response } from 'express';
import type { Deps } from './deps.ts';
import { toApiUser, type User } from './user-repository.ts';

/** A session as committed. The user was read under a lock, so any later change invalidates the token. */
export interface Grant {
  user: User;
  sessionId: string;
  refreshToken: string;
  tokenMinutes: number;
}

/**
 * Replies with the documented `{user, token}` and sets the refresh token as a cookie, or returns it in the reply if
 * the client requested that. A page always gets the cookie: a script on the page could leak a token in the reply.
 */
export const grantAccess = async (
  { tokens, cookie }: Deps,
  { request, response }: { request: Request; response: Response },
  { grant, inReply }: { grant: Grant; inReply: boolean },
) => {
  const { sessionId: id, tokenMinutes } = grant;
  const token = await tokens.sign(grant.user, { id, tokenMinutes });
  const { refreshToken } = grant;
  const reply = { user: { ...toApiUser(grant.user), token }, token };
  response.set('Cache-Control', 'no-store');
  if (inReply && !isFromPage(request)) return { ...reply, refreshToken };
  cookie.set(response, refreshToken);
  return reply;
};

/** Browsers send these headers with a page's requests; other clients rarely do. */
export const isFromPage = (request: Request): boolean =>
  request.get('sec-fetch-site') !== undefined || request.get('origin') !== undefined;
