import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';

export const serviceNames = [
  'accounts',
  'catalog',
  'bookings',
  'payments',
  'messaging',
  'notifications',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/**
 * Who may call a route. The service kit enforces the first five before the handler runs. The others depend on the
 * requested thing: the handler tells the kit's `allow` whose it is, and cannot reply without it. `service` is another
 * service on its own behalf, for internal routes only.
 */
export type Who =
  | 'anyone'
  | 'user'
  | 'self'
  | 'admin'
  | 'service'
  | 'owner or admin'
  | 'party'
  | 'party or admin';

export type Fields = z.ZodObject;

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Express notation: `/api/user/:userId/holds`. */
  path: string;
  service: ServiceName;
  who: Who;
  /** A call that existing LendTools clients already speak and that is kept as it is, or one that was added here. */
  origin: 'documented' | 'ours';
  summary: string;
  params?: Fields;
  query?: Fields;
  /** JSON; multipart too where `images` names file fields. */
  body?: Fields;
  /** The largest JSON body, if it is not the kit's 32 kB. */
  bodyKb?: number;
  images?: readonly string[];
  /** The body reaches the handler as the bytes that were sent (a signed webhook). */
  raw?: boolean;
  /** Honors an `Idempotency-Key` header. */
  idempotent?: boolean;
  /** Honors an `If-Match` header with the `revision` of what is edited. */
  ifMatch?: boolean;
  /** What the reply is, where it is not JSON. */
  media?: 'image/webp' | 'text/calendar';
  /** The status of success. */
  status: number;
  reply: z.ZodType;
  /** The error codes a client must expect, beyond those of every route. */
  errors?: readonly ErrorCode[];
}

type Definition = Omit<Route, 'method' | 'path'>;
type Endpoint = `${Route['method']} /${string}`;
type MethodOf<E> = E extends `${infer M extends Route['method']} ${string}` ? M : never;
type PathOf<E> = E extends `${string} ${infer P}` ? P : never;
type NamesIn<P> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * Keeps the literal types of a definition, so that its handler and its callers are typed by its schemas. The parameters
 * are those that the path names.
 */
export const route = <const E extends Endpoint, const D extends Definition>(
  endpoint: E,
  definition: D & {
    params?: [NamesIn<E>] extends [never] ? undefined : z.ZodObject<Record<NamesIn<E>, z.ZodType>>;
  },
): D & { method: MethodOf<E>; path: PathOf<E> } => {
  const [method, path] = endpoint.split(' ') as [MethodOf<E>, PathOf<E>];
  return { ...definition, method, path };
};

type Output<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
export type Params<R extends Route> = Output<R['params']>;
export type Query<R extends Route> = Output<R['query']>;
export type Body<R extends Route> = Output<R['body']>;
export type ReplyOf<R extends Route> = z.output<R['reply']>;

/** Every error code that a route may return: those that follow from its shape, then its own. */
export const errorCodesOf = (route: Route): ErrorCode[] => {
  const { who, params, query, body, raw, images, idempotent, ifMatch, errors = [] } = route;
  const isKeptToSome = who === 'self' || who === 'admin';
  const codes = new Set<ErrorCode>([
    ...(params || query || body ? (['VALIDATION_FAILED'] as const) : []),
    ...(query && 'cursor' in query.shape ? (['CURSOR_INVALID'] as const) : []),
    // An escape such as %FF in the path can't be read.
    ...(params || body || raw ? (['REQUEST_UNREADABLE'] as const) : []),
    ...(body || raw ? (['REQUEST_TOO_SLOW', 'BODY_TOO_LARGE'] as const) : []),
    ...(images ? (['UPLOAD_REFUSED', 'UPLOAD_TOO_LARGE'] as const) : []),
    ...(idempotent
      ? (['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'TOO_MANY_REQUESTS'] as const)
      : []),
    ...(ifMatch ? (['EDITED_ELSEWHERE'] as const) : []),
    ...(who === 'anyone' ? [] : (['UNAUTHORIZED'] as const)),
    ...(isKeptToSome ? (['FORBIDDEN'] as const) : []),
    ...errors,
    ...(['INTERNAL_ERROR', 'UNAVAILABLE', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'] as const),
  ]);
  return [...codes];
};
