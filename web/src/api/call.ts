import { type CallInput, type Endpoint, fillPath, type RouteAt } from '@lendtools/contracts/call';
import type { FetchArgs } from '@reduxjs/toolkit/query/react';

/** The input of a route; `timeout` in milliseconds. */
export type Input<E extends Endpoint> = CallInput<RouteAt<E>> & { timeout?: number };

/** The request for a route of the table, of which only the types are imported. */
export function call<E extends Endpoint>(endpoint: E, input?: Input<E>): FetchArgs {
  const [method, path = ''] = endpoint.split(' ');
  const { params, query, idempotencyKey, ifMatch, ...rest } = { ...(input as Input<Endpoint>) };
  const own = {
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
  };
  // Headers of a request take the place of the base query's own: there are none without need.
  const headers = Object.keys(own).length > 0 ? own : undefined;
  return { ...rest, url: fillPath(path, params), method, params: query, headers };
}
