import type { z } from 'zod';
import type { Route } from './route.ts';
import type { internalRoutes, routes } from './routes.ts';

type Table = typeof routes & typeof internalRoutes;
type RouteByEndpoint = {
  [N in keyof Table as `${Table[N]['method']} ${Table[N]['path']}`]: Table[N];
};

/** The method and path of a route, as in `endpoints.ts`. */
export type Endpoint = keyof RouteByEndpoint;
export type RouteAt<E extends Endpoint> = RouteByEndpoint[E];
export type ReplyAt<E extends Endpoint> = z.output<RouteAt<E>['reply']>;

type Part<Name extends string, S> = S extends z.ZodType
  ? object extends z.input<S>
    ? { [N in Name]?: z.input<S> }
    : { [N in Name]: z.input<S> }
  : { [N in Name]?: undefined };

type BodyOf<R extends Route> = R extends { images: readonly string[] }
  ? { body: z.input<NonNullable<R['body']>> | FormData }
  : Part<'body', R['body']>;

export type CallInput<R extends Route> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  BodyOf<R> &
  (R extends { idempotent: true } ? { idempotencyKey?: string } : { idempotencyKey?: undefined }) &
  (R extends { ifMatch: true } ? { ifMatch?: number | undefined } : { ifMatch?: undefined });

export const fillPath = (path: string, params: Record<string, unknown> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] as string));
