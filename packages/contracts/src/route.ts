import type { z } from 'zod';

export type ServiceName =
  | 'accounts'
  | 'catalog'
  | 'bookings'
  | 'payments'
  | 'messaging'
  | 'notifications';

/**
 * Who may call a route. The service kit enforces the first five before the handler runs; the others depend on
 * the thing that is asked for: there the kit asks for a signed-in user and the handler checks the thing.
 */
export type Who =
  | 'anyone'
  | 'user'
  | 'self'
  | 'self or admin'
  | 'admin'
  | 'owner or admin'
  | 'party'
  | 'party or admin';

export type Fields = z.ZodObject;

export interface Route<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
  Reply extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Express notation: `/api/user/:userId/holds`. */
  path: string;
  service: ServiceName;
  who: Who;
  /** Documented by the specification, or added by LendTools. */
  origin: 'spec' | 'ours';
  summary: string;
  params?: Params;
  query?: Query;
  /** JSON; multipart too where `images` names file fields. */
  body?: Body;
  images?: readonly string[];
  /** The body reaches the handler as the bytes that were sent (a signed webhook). */
  raw?: boolean;
  /** Honours an `Idempotency-Key` header. */
  idempotent?: boolean;
  /** The status of success. */
  status: number;
  reply: Reply;
  /** The codes of the refusals a client must expect, beyond those of every route. */
  errors?: readonly string[];
}

/** Keeps the literal types of a route's schemas, so that its handler is typed by them. */
export const route = <P extends Fields, Q extends Fields, B extends Fields, R extends z.ZodType>(
  definition: Route<P, Q, B, R>,
): Route<P, Q, B, R> => definition;
