import { type CallInput, type Endpoint, fillPath, type RouteAt } from '@lendtools/contracts/call';
import type { FetchArgs } from '@reduxjs/toolkit/query/react';

/** A route's input; `timeout` is in milliseconds. */
export type Input<E extends Endpoint> = CallInput<RouteAt<E>> & { timeout?: number };

/** Builds a request for a route. Only types of the route table are imported, so the bundle does not contain the table. */
export function call<E extends Endpoint>(endpoint: E, input?: Input<E>): FetchArgs {
  const [method, path = ''] = endpoint.split(' ');
  const { params, query, idempotencyKey, ifMatch, ...rest } = { ...(input as Input<Endpoint>) };
  const own = {
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
  };
  // Undefined if there are no headers, because any object here would replace the base query's headers.
  const headers = Object.keys(own).length > 0 ? own : undefined;
  return { ...rest, url: fillPath(path, params), method, params: query, headers };
}
