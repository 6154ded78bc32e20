import { isAdminRole } from '@lendtools/contracts';
import type { Request, Response } from 'express';
import type { Deps } from '../deps.ts';
import { toApiUser, type User } from '../domain/user.ts';
import { hasSecondFactor } from '../store/second-factor-repository.ts';

/** A committed session. Its user was read under a lock, so any later change of the user invalidates the access token. */
export interface Grant {
  user: User;
  sessionId: string;
  refreshToken: string;
  tokenMinutes: number;
  authenticatedAt: Date | null;
}

/** Web pages get the refresh token only as a cookie, because a script could leak a token in the reply. */
export const grantAccess = async (
  { tokens, cookie, pool, requireAdminMfa }: Deps,
  { request, response }: { request: Request; response: Response },
  { grant, inReply }: { grant: Grant; inReply: boolean },
) => {
  const { sessionId: id, tokenMinutes, authenticatedAt } = grant;
  const lacksSecondFactor =
    requireAdminMfa &&
    isAdminRole(grant.user.role) &&
    !(await hasSecondFactor(pool, grant.user.id));
  const session = { id, tokenMinutes, authenticatedAt, lacksSecondFactor };
  const token = await tokens.sign(grant.user, session);
  const { refreshToken } = grant;
  const user = { ...toApiUser(grant.user), token };
  const reply = { user, token, ...(lacksSecondFactor && { secondFactorNeeded: true }) };
  response.set('Cache-Control', 'no-store');
  if (inReply && !isFromPage(request)) return { ...reply, refreshToken };
  cookie.set(response, refreshToken);
  return reply;
};

/** Whether a web page sent the request: browsers add these headers to a page's requests, and other clients rarely send them. */
export const isFromPage = (request: Request): boolean =>
  request.get('sec-fetch-site') !== undefined || request.get('origin') !== undefined;
