import type { z } from 'zod';
import type { RefusalCode } from './refusals.ts';

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
 * Who may call a route. The service kit enforces the first five before the handler runs; the others depend on
 * the thing that is asked for: there the kit asks for a signed-in user and the handler checks the thing. `service` is
 * another service that asks for itself, in nobody's name: internal routes alone.
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
  /** The most that the JSON may have, where it is not the kit's 32 kB. */
  bodyKb?: number;
  images?: readonly string[];
  /** The body reaches the handler as the bytes that were sent (a signed webhook). */
  raw?: boolean;
  /** Honours an `Idempotency-Key` header. */
  idempotent?: boolean;
  /** The status of success. */
  status: number;
  reply: z.ZodType;
  /** The codes of the refusals a client must expect, beyond those of every route. */
  errors?: readonly RefusalCode[];
}

/** Keeps the literal types of a definition, so that its handler is typed by its schemas. */
export const route = <const R extends Route>(definition: R): R => definition;

type Output<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
export type Params<R extends Route> = Output<R['params']>;
export type Query<R extends Route> = Output<R['query']>;
export type Body<R extends Route> = Output<R['body']>;
export type ReplyOf<R extends Route> = z.output<R['reply']>;
