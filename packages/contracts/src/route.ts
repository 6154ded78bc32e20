import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { Permission } from './permissions.ts';

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
 * The callers that a route accepts. `service` is another service. For `owner or admin`, `party` and `party or admin`, the
 * handler must pass the object's owner or parties to `allow`, or it cannot reply. `service-kit` checks the other policies by itself.
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

/** The policies under which an admin acts as such. Each route with one of them names the required permission. */
type AdminWho = 'admin' | `${string} or admin`;

export type Fields = z.ZodObject;

/** How long after a login routes with `needsFreshLogin` can be called. */
export const freshLoginMinutes = 15;

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In Express notation, such as `/api/user/:userId/holds`. */
  path: string;
  service: ServiceName;
  who: Who;
  /**
   * What the role of an admin must allow. Admins whose role does not are treated as members, as those without a second factor are.
   * Without it, only administrators (`Admin`) act as admins.
   */
  permission?: Permission;
  /**
   * The fields of the query and body that the audit log includes when an admin uses the route as such. A question mark,
   * as in `q?`, includes only whether the field was given, because a search text may be a name or an email. `false` for a reply that contains
   * only counts, and for calls that a service makes with an admin's token: they are not recorded.
   */
  audited?: readonly string[] | false;
  /** `documented`: existing LendTools clients use this route, so it must not change. `ours`: this project added it. */
  origin: 'documented' | 'ours';
  summary: string;
  params?: Fields;
  query?: Fields;
  /** JSON, or a multipart form if `images` names file fields. */
  body?: Fields;
  /** The maximum JSON body; by default 32 kB. */
  bodyKb?: number;
  images?: readonly string[];
  /** If true, the handler gets raw bytes: a webhook must verify their signature. */
  raw?: boolean;
  /** The route requires a login, or a confirmation of the password, within the last `freshLoginMinutes`, of `admins` or `all`. */
  needsFreshLogin?: 'admins' | 'all';
  /** Clients may send an `Idempotency-Key` header. */
  idempotent?: boolean;
  /** Clients may send an `If-Match` header with the `revision` of the edited object. */
  ifMatch?: boolean;
  /** The media type of a reply that is not JSON. */
  media?: 'image/webp' | 'text/calendar' | 'text/csv' | 'application/pdf' | 'application/zip';
  /** The status of a successful reply. */
  status: number;
  reply: z.ZodType;
  /** The route's own error codes; `errorCodesOf` adds the general ones. */
  errors?: readonly ErrorCode[];
}

type Definition = Omit<Route, 'service' | 'method' | 'path' | 'who' | 'permission'> &
  (
    | { who: Extract<Who, AdminWho>; permission: Permission }
    | { who: Exclude<Who, AdminWho>; permission?: Permission }
  );
type Endpoint = `${Route['method']} /${string}`;
type MethodOf<E> = E extends `${infer M extends Route['method']} ${string}` ? M : never;
type PathOf<E> = E extends `${string} ${infer P}` ? P : never;
type NamesIn<P> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * Keeps a definition's literal types, so that the handler and the callers get their types from its schemas. Requires
 * `params` to match the parameters in the path.
 */
export const routeOf =
  <const S extends ServiceName>(service: S) =>
  <const E extends Endpoint, const D extends Definition>(
    endpoint: E,
    definition: D & {
      params?: [NamesIn<E>] extends [never]
        ? undefined
        : z.ZodObject<Record<NamesIn<E>, z.ZodType>>;
    },
  ): D & { service: S; method: MethodOf<E>; path: PathOf<E> } => {
    const [method, path] = endpoint.split(' ') as [MethodOf<E>, PathOf<E>];
    return { ...definition, service, method, path };
  };

type Output<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
export type Params<R extends Route> = Output<R['params']>;
export type Query<R extends Route> = Output<R['query']>;
export type Body<R extends Route> = Output<R['body']>;
export type ReplyOf<R extends Route> = z.output<R['reply']>;

/** Returns who may call a route. `admin (money)` means an admin whose role has the permission `money`. */
export const callersOf = ({ who, permission }: Route): string =>
  permission && who !== 'anyone' ? `${who} (${permission})` : who;

/** Returns the error codes that follow from a route's parameters, body and policy, then those that it lists itself. */
export const errorCodesOf = (route: Route): ErrorCode[] => {
  const { who, params, query, body, raw, images, idempotent, ifMatch } = route;
  const { needsFreshLogin, errors = [] } = route;
  const isRestricted = who === 'self' || who === 'admin';
  const codes = new Set<ErrorCode>([
    ...(params || query || body ? (['VALIDATION_FAILED'] as const) : []),
    ...(query && 'cursor' in query.shape ? (['CURSOR_INVALID'] as const) : []),
    // A malformed escape such as %FF makes the path unreadable.
    ...(params || body || raw ? (['REQUEST_UNREADABLE'] as const) : []),
    ...(body || raw ? (['REQUEST_TOO_SLOW', 'BODY_TOO_LARGE'] as const) : []),
    ...(images ? (['UPLOAD_REJECTED', 'UPLOAD_TOO_LARGE'] as const) : []),
    ...(idempotent
      ? (['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'TOO_MANY_REQUESTS'] as const)
      : []),
    ...(ifMatch ? (['EDITED_ELSEWHERE'] as const) : []),
    ...(who === 'anyone' ? [] : (['UNAUTHORIZED'] as const)),
    ...(isRestricted ? (['FORBIDDEN'] as const) : []),
    ...(who === 'admin' ? (['SECOND_FACTOR_NOT_SET_UP'] as const) : []),
    ...(needsFreshLogin ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
    ...errors,
    ...(['INTERNAL_ERROR', 'UNAVAILABLE', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'] as const),
  ]);
  return [...codes];
};
