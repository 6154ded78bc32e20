import {
  type BaseQueryFn,
  createApi,
  type FetchArgs,
  type FetchBaseQueryError,
  fetchBaseQuery,
} from '@reduxjs/toolkit/query/react';
import { keepAccessToken, readAccessToken } from './access-token.ts';
import {
  type SessionState,
  type SessionUser,
  sessionEnded,
  sessionStarted,
} from './session-slice.ts';

type Query = BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError>;
type QueryApi = Parameters<Query>[1];
/** What a store gives: enough to read and end the session. */
type SessionAccess = Pick<QueryApi, 'dispatch' | 'getState'>;

const sendRequest: Query = fetchBaseQuery({
  baseUrl: '/api/',
  // A form on another site cannot send this header, so the cookie alone proves nothing there.
  headers: { 'x-requested-with': 'lendtools' },
  prepareHeaders: (headers) => {
    const token = readAccessToken();
    if (token) headers.set('authorization', `Bearer ${token}`);
    return headers;
  },
});

/** Calls that answer 401 for their own reasons: a renewal would only hide what they say. */
const answersForItself = /^(login|logout|refresh-token)$/;

const isLoggedIn = (api: SessionAccess) =>
  (api.getState() as { session: SessionState }).session.loggedIn;

let renewal: Promise<boolean> | null = null;

async function requestRenewal(session: SessionAccess): Promise<boolean> {
  const { signal, abort } = new AbortController();
  const call = { signal, abort, extra: undefined, endpoint: 'refreshToken', type: 'mutation' };
  const api = { ...session, ...call } as QueryApi;
  const reply = await sendRequest({ url: 'refresh-token', method: 'POST' }, api, {});
  const renewed = reply.data as { token: string; user: SessionUser } | undefined;
  if (renewed) {
    keepAccessToken(renewed.token);
    api.dispatch(sessionStarted(renewed.user));
    return true;
  }
  const status = reply.error?.status;
  // Only a refusal ends the session: a lost network must not log anybody out.
  if (status === 401 || status === 403) {
    keepAccessToken(null);
    api.dispatch(sessionEnded());
  }
  return false;
}

/** Renews the access token once, however many calls find out at the same time that it is old. */
export function renewAccessToken(session: SessionAccess): Promise<boolean> {
  renewal ??= requestRenewal(session).finally(() => {
    renewal = null;
  });
  return renewal;
}

const requestWithSession: Query = async (args, api, options) => {
  const url = typeof args === 'string' ? args : args.url;
  if (answersForItself.test(url)) return sendRequest(args, api, options);
  // After a reload there is a profile but no token yet; asking first saves a refused call.
  if (isLoggedIn(api) && !readAccessToken()) await renewAccessToken(api);
  const tokenUsed = readAccessToken();
  const reply = await sendRequest(args, api, options);
  if (reply.error?.status !== 401 || !isLoggedIn(api)) return reply;
  const renewed = readAccessToken() !== tokenUsed || (await renewAccessToken(api));
  return renewed ? sendRequest(args, api, options) : reply;
};

/** Every feature injects its endpoints here, so that they share one cache and one session. */
export const baseApi = createApi({
  reducerPath: 'api',
  baseQuery: requestWithSession,
  tagTypes: ['Tool', 'Category', 'Booking', 'Review', 'Message', 'Reply', 'Notice', 'User'],
  keepUnusedDataFor: 300,
  // What failed without a network is asked for again when there is one.
  refetchOnReconnect: true,
  endpoints: () => ({}),
});
