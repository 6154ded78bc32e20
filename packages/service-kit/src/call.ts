import {
  type CallInput,
  type ErrorCode,
  errorCodes,
  fillPath,
  problem,
  type ReplyOf,
  type Route,
} from '@lendtools/contracts';
import { currentContext } from './context.ts';
import { AppError, unavailable } from './errors.ts';
import { currentTraceparent, inSpan } from './tracing.ts';
import type { Upstreams } from './upstreams.ts';

interface CallOptions {
  /** A user's access token, or the secret of calls between services. */
  token?: string;
  timeoutMs: number;
}

/**
 * Calls another service and validates its reply by the route's schema.
 * @throws AppError the service's own error; 503 if the service is unreachable, fails, or rejects our credentials
 */
export const call = <R extends Route>(
  upstreams: Upstreams,
  route: R,
  options: CallInput<R> & CallOptions,
): Promise<ReplyOf<R>> => {
  const { method, path } = route;
  const attributes = { 'http.request.method': method, 'url.template': path };
  return inSpan({ name: `${method} ${path}`, kind: 'client', attributes }, () =>
    callUntraced(upstreams, route, options),
  );
};

const callUntraced = async <R extends Route>(
  upstreams: Upstreams,
  route: R,
  { params, query, body, token, timeoutMs }: CallInput<R> & CallOptions,
): Promise<ReplyOf<R>> => {
  const { method, path, service, who } = route;
  const correlationId = currentContext()?.correlationId;
  const traceparent = currentTraceparent();
  const search = query ? `?${new URLSearchParams(withoutUndefined(query))}` : '';
  const failed = (cause: unknown) => Object.assign(unavailable(), { cause });
  const reply = await upstreams
    .fetch(fillPath(path, params) + search, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(correlationId && { 'x-request-id': correlationId }),
        ...(traceparent && { traceparent }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    .catch((error: unknown) => {
      throw failed(error);
    });
  /** A truncated or malformed body counts as an outage, not as the caller's mistake. */
  const read = async <T>(schema: { parse: (body: unknown) => T }): Promise<T> => {
    try {
      return schema.parse(await reply.json());
    } catch (error) {
      throw failed(error);
    }
  };
  if (reply.ok) return (await read(route.reply)) as ReplyOf<R>;
  if (reply.status >= 500 || who === 'service')
    throw failed(new Error(`${service} answered ${reply.status} to ${method} ${path}`));
  const { code, detail, errors } = await read(rejection);
  if (!isKnown(code))
    throw failed(new Error(`${service} replied with the unknown error code ${code}`));
  const retryAfter = reply.headers.get('retry-after');
  throw new AppError(code, detail, {
    errors,
    ...(retryAfter && { headers: { 'Retry-After': retryAfter } }),
  });
};

const isKnown = (code: string): code is ErrorCode => code in errorCodes;

const rejection = problem.pick({ code: true, detail: true, errors: true });

const withoutUndefined = (query: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
