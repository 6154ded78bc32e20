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
  /** The caller's own, or the secret that services share. */
  token?: string;
  timeoutMs: number;
}

/**
 * Asks a service by a route of the table, and checks its reply by the route's schema.
 * @throws AppError the service's own refusal, with its `Retry-After`. 503, with the reason as its cause, where it does not answer or can't; and where it
 *   refuses what a service asks for itself: a version without the route, or a secret that differs, must lose nothing
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
  const search = query ? `?${new URLSearchParams(withoutGaps(query))}` : '';
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
  /** A truncated body, or one that is not the table's, is an outage as well: the caller did nothing wrong. */
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
  const { code, detail, errors } = await read(refusal);
  if (!isKnown(code))
    throw failed(new Error(`${service} refused with ${code}, of a later version`));
  const retryAfter = reply.headers.get('retry-after');
  throw new AppError(code, detail, {
    errors,
    ...(retryAfter && { headers: { 'Retry-After': retryAfter } }),
  });
};

const isKnown = (code: string): code is ErrorCode => code in errorCodes;

const refusal = problem.pick({ code: true, detail: true, errors: true });

const withoutGaps = (query: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
