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
 * requested object: the handler passes its owner or parties to the kit's `allow`, without which it cannot reply.
 * `service` is another service acting for itself, on internal routes only.
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
  /** `documented`: existing LendTools clients use it, so it must not change. `ours`: added by this project. */
  origin: 'documented' | 'ours';
  summary: string;
  params?: Fields;
  query?: Fields;
  /** JSON, or multipart if `images` names file fields. */
  body?: Fields;
  /** Maximum JSON body; the kit's default is 32 kB. */
  bodyKb?: number;
  images?: readonly string[];
  /** The handler gets the body as raw bytes, for signed webhooks. */
  raw?: boolean;
  /** Honors an `Idempotency-Key` header. */
  idempotent?: boolean;
  /** Honors an `If-Match` header with the `revision` of the edited object. */
  ifMatch?: boolean;
  /** Media type of a reply that is not JSON. */
  media?: 'image/webp' | 'text/calendar';
  /** Status code of a successful reply. */
  status: number;
  reply: z.ZodType;
  /** Error codes of this route, besides those in `errorCodesOf`. */
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
 * Keeps a definition's literal types, so that its schemas type the handler and the callers. Requires `params` to
 * match the parameters in the path.
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

/** Every error code that a route may return: the ones implied by its shape, then its own. */
export const errorCodesOf = (route: Route): ErrorCode[] => {
  const { who, params, query, body, raw, images, idempotent, ifMatch, errors = [] } = route;
  const isRestricted = who === 'self' || who === 'admin';
  const codes = new Set<ErrorCode>([
    ...(params || query || body ? (['VALIDATION_FAILED'] as const) : []),
    ...(query && 'cursor' in query.shape ? (['CURSOR_INVALID'] as const) : []),
    // A malformed escape such as %FF in the path is unreadable.
    ...(params || body || raw ? (['REQUEST_UNREADABLE'] as const) : []),
    ...(body || raw ? (['REQUEST_TOO_SLOW', 'BODY_TOO_LARGE'] as const) : []),
    ...(images ? (['UPLOAD_REFUSED', 'UPLOAD_TOO_LARGE'] as const) : []),
    ...(idempotent
      ? (['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'TOO_MANY_REQUESTS'] as const)
      : []),
    ...(ifMatch ? (['EDITED_ELSEWHERE'] as const) : []),
    ...(who === 'anyone' ? [] : (['UNAUTHORIZED'] as const)),
    ...(isRestricted ? (['FORBIDDEN'] as const) : []),
    ...errors,
    ...(['INTERNAL_ERROR', 'UNAVAILABLE', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'] as const),
  ]);
  return [...codes];
};
