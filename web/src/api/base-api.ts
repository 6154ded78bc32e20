import type { ReplyAt } from '@lendtools/contracts/call';
import * as at from '@lendtools/contracts/endpoints';
import {
  type BaseQueryFn,
  createApi,
  type FetchArgs,
  type FetchBaseQueryError,
  fetchBaseQuery,
} from '@reduxjs/toolkit/query/react';
import { deleteDraftsOfOthers } from '../lib/kept.ts';
import { dropPlace } from '../lib/my-place.ts';
import { keepAccessToken, readAccessToken } from './access-token.ts';
import { call } from './call.ts';
import { errorCode } from './error-message.ts';
import { fetchUnlessRequested } from './first-call.ts';
import { inTurn } from './in-turn.ts';
import {
  type SessionState,
  type SessionUser,
  sessionEnded,
  sessionStarted,
} from './session-slice.ts';

export type Query = BaseQueryFn<FetchArgs, unknown, FetchBaseQueryError>;
type QueryApi = Parameters<Query>[1];
type SessionAccess = Pick<QueryApi, 'dispatch' | 'getState'>;

const sendRequest: Query = fetchBaseQuery({
  fetchFn: fetchUnlessRequested,
  // A form on another site cannot send this header, so the server rejects forged requests that carry only the cookie.
  headers: { 'x-requested-with': 'lendtools' },
  prepareHeaders: (headers) => {
    const token = readAccessToken();
    if (token) headers.set('authorization', `Bearer ${token}`);
    return headers;
  },
});

/** The addresses of the second step and of passkeys begin with that of the login. */
function isLoginOr(ends: string[], request: FetchArgs) {
  const endpoint = endpointOf(request);
  return endpoint.startsWith(at.login) || ends.some((end) => endpoint.endsWith(end));
}

/**
 * Calls that change the session cookie, so `send` serializes them, as it does logins. Renewal and logout are not listed,
 * because they call `inTurn` themselves.
 */
const changesCookie = [at.resetPassword, '/reauthenticate'];
const turnTimeoutMs = 30_000;

function endpointOf({ method, url }: FetchArgs) {
  return `${method} ${url}`;
}

const send: Query = (request, api, options) => {
  if (!isLoginOr(changesCookie, request)) return sendRequest(request, api, options);
  return inTurn(async () => sendRequest({ ...request, timeout: turnTimeoutMs }, api, options));
};

/** Calls whose 401, like that of a login, does not mean an expired token. A renewal would hide their own error. */
const answersForItself = [at.logout, at.refreshToken];

function isLoggedIn(api: SessionAccess) {
  return (api.getState() as { session: SessionState }).session.loggedIn;
}

let renewal: Promise<boolean> | null = null;

function userIdOf(api: SessionAccess) {
  return (api.getState() as { session: SessionState }).session.user?.id;
}

/** Starts or continues a session. If another user was logged in, clears that user's data first. */
export function startSession(
  session: SessionAccess,
  { token, user }: { token: string; user: SessionUser },
): void {
  const before = userIdOf(session);
  if (before && before !== user.id) endSession(session.dispatch);
  deleteDraftsOfOthers(user.id);
  keepAccessToken(token);
  session.dispatch(sessionStarted(user));
}

/** Clears the user and the cached replies. Keeps drafts, because a session can expire while the user is typing. */
export function endSession(dispatch: SessionAccess['dispatch']): void {
  dropPlace();
  keepAccessToken(null);
  dispatch(sessionEnded());
  dispatch(baseApi.util.resetApiState());
}

async function requestRenewal(session: SessionAccess): Promise<boolean> {
  // Don't renew: the user logged out while this renewal waited for the lock.
  if (!isLoggedIn(session)) return false;
  const api = { ...session, signal: new AbortController().signal } as QueryApi;
  const request = call(at.refreshToken, { timeout: turnTimeoutMs });
  const reply = await sendRequest(request, api, {});
  // Another tab logged out during the request, so don't start the session again.
  if (!isLoggedIn(session)) return false;
  const renewed = reply.data as ReplyAt<typeof at.refreshToken> | undefined;
  if (renewed) {
    startSession(session, renewed);
    return true;
  }
  const status = reply.error?.status;
  // Only a rejected renewal ends the session; a network failure must not log the user out.
  if (status === 401 || status === 403) {
    endSession(api.dispatch);
  }
  return false;
}

/** Renews the access token; concurrent calls share one renewal. */
export function renewAccessToken(session: SessionAccess): Promise<boolean> {
  renewal ??= inTurn(() => requestRenewal(session)).finally(() => {
    renewal = null;
  });
  return renewal;
}

const requestWithRenewal: Query = async (args, api, options) => {
  if (isLoginOr(answersForItself, args)) return send(args, api, options);
  const sentAs = userIdOf(api);
  // After a reload there is a user but no token; renewing first avoids a call that would return 401.
  if (isLoggedIn(api) && !readAccessToken()) await renewAccessToken(api);
  // Another tab may have logged in a different user meanwhile; don't send this call as that user.
  const isOthers = () => isLoggedIn(api) && userIdOf(api) !== sentAs;
  if (isOthers()) return { error: { status: 401, data: undefined } };
  const tokenUsed = readAccessToken();
  const reply = await send(args, api, options);
  if (reply.error?.status !== 401 || !isLoggedIn(api)) return reply;
  const renewed = readAccessToken() !== tokenUsed || (await renewAccessToken(api));
  return renewed && !isOthers() ? send(args, api, options) : reply;
};

/** Asks for the password if the call needs a fresh login, and then repeats the call. */
const requestWithSession: Query = async (args, api, options) => {
  const reply = await requestWithRenewal(args, api, options);
  if (errorCode(reply.error) !== 'REAUTHENTICATION_REQUIRED') return reply;
  const { confirmIdentity } = await import('../ui/confirm-identity.tsx');
  return (await confirmIdentity()) ? requestWithRenewal(args, api, options) : reply;
};

const tagTypes = [
  'Session',
  'SecondFactor',
  'CalendarFeed',
  'SavedTool',
  'Tool',
  'Availability',
  'Category',
  'Booking',
  'Review',
  'Message',
  'Reply',
  'Notice',
  'Preferences',
  'User',
  'Card',
  'Dispute',
  'Payout',
  'Report',
  'Block',
] as const;
export type Tag = (typeof tagTypes)[number];

/** Every feature injects its endpoints here, so that they share one cache and one session. */
export const baseApi = createApi({
  reducerPath: 'api',
  baseQuery: requestWithSession,
  tagTypes,
  keepUnusedDataFor: 300,
  refetchOnReconnect: true,
  endpoints: () => ({}),
});
