import type { Endpoint, ReplyAt } from '@lendtools/contracts/call';
import type {
  EndpointBuilder,
  EndpointDefinitions,
  MutationDefinition,
  MutationExtraOptions,
  QueryDefinition,
  QueryExtraOptions,
} from '@reduxjs/toolkit/query/react';
import { baseApi, type Query, type Tag } from './base-api.ts';
import { call, type Input } from './call.ts';

export interface EndpointOptions<E extends Endpoint, A, T> {
  /** Builds the request's input from the hook's argument; without it the request has none. */
  send?: (arg: A) => Input<E>;
  /** Selects what the hook returns from the reply; by default all of it. */
  transformResponse?: (reply: ReplyAt<E>, meta: unknown, arg: A) => T;
}
export type QueryOf<E extends Endpoint> = NonNullable<Input<E>['query']>;

type Options<Extra> = Omit<Extra, 'type'>;
export type Build = EndpointBuilder<Query, Tag, 'api'>;

/** Builds endpoints whose request and reply types come from the route they call. */
interface Builder {
  query<E extends Endpoint, A = void, T = ReplyAt<E>>(
    endpoint: E,
    how: EndpointOptions<E, A, T> & Options<QueryExtraOptions<Tag, T, A, Query, 'api'>>,
  ): QueryDefinition<A, Query, Tag, T, 'api'>;

  mutation<E extends Endpoint, A = void, T = ReplyAt<E>>(
    endpoint: E,
    how: EndpointOptions<E, A, T> & Options<MutationExtraOptions<Tag, T, A, Query, 'api'>>,
  ): MutationDefinition<A, Query, Tag, T, 'api'>;

  build: Build;
}

type Any = EndpointOptions<Endpoint, unknown, unknown>;

const definition = (endpoint: Endpoint, { send, ...options }: Any) => ({
  query: (arg: unknown) => call(endpoint, send?.(arg)),
  ...options,
});

/**
 * Injects a feature's endpoints into the shared base API. `D` is not constrained to `EndpointDefinitions`: that would widen
 * the type of each endpoint.
 */
export const addEndpoints = <D>(define: (builder: Builder) => D) =>
  baseApi.injectEndpoints({
    endpoints: (build) =>
      define({
        query: (endpoint: Endpoint, how: Any) => build.query(definition(endpoint, how)),
        mutation: (endpoint: Endpoint, how: Any) => build.mutation(definition(endpoint, how)),
        build,
      } as Builder) as D extends EndpointDefinitions ? D : never,
  });
