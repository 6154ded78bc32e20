import { type CallInput, type Endpoint, fillPath, type RouteAt } from '@lendtools/contracts/call';
import type { FetchArgs } from '@reduxjs/toolkit/query/react';

/** The input of a route; `timeout` in milliseconds. */
export type Input<E extends Endpoint> = CallInput<RouteAt<E>> & { timeout?: number };

/** Builds a request from a route of the route table; only the table's types are imported. */
export function call<E extends Endpoint>(endpoint: E, input?: Input<E>): FetchArgs {
  const [method, path = ''] = endpoint.split(' ');
  const { params, query, idempotencyKey, ifMatch, ...rest } = { ...(input as Input<Endpoint>) };
  const own = {
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
  };
  // Setting any header here would replace the base query's headers, so leave it undefined if there is none.
  const headers = Object.keys(own).length > 0 ? own : undefined;
  return { ...rest, url: fillPath(path, params), method, params: query, headers };
}
