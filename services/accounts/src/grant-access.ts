import type { Request, Response } from 'express';
import type { Deps } from './deps.ts';
import { toApiUser, type User } from './user-repository.ts';

/** A session as its transaction left it. The user was read while held: a change after that cuts the token. */
export interface Grant {
  user: User;
  sessionId: string;
  refreshToken: string;
  /** The lifetime of the access token. */
  tokenMinutes: number;
}

/**
 * The documented `{user, token}`, and the refresh token in its cookie; in the reply where the client asked for that. What
 * a browser sends for a page says where it comes from: a page never gets it, because its scripts could pass it on.
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

/** A browser says where a request of a page comes from; other clients rarely do. */
export const isFromPage = (request: Request): boolean =>
  request.get('sec-fetch-site') !== undefined || request.get('origin') !== undefined;
