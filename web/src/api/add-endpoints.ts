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
  /** Builds the request's input from the hook's argument. Without `send`, the request has no input. */
  send?: (arg: A) => Input<E>;
  /** Selects the part of the reply that the hook returns; without it, the hook returns the whole reply. */
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

type AnyOptions = EndpointOptions<Endpoint, unknown, unknown>;

function definition(endpoint: Endpoint, { send, ...options }: AnyOptions) {
  return {
    query: (arg: unknown) => call(endpoint, send?.(arg)),
    ...options,
  };
}

/** Injects a feature's endpoints. Don't constrain `D` to `EndpointDefinitions`: that widens each endpoint's type. */
export function addEndpoints<D>(define: (builder: Builder) => D) {
  return baseApi.injectEndpoints({
    endpoints: (build) =>
      define({
        query: (endpoint: Endpoint, how: AnyOptions) => build.query(definition(endpoint, how)),
        mutation: (endpoint: Endpoint, how: AnyOptions) =>
          build.mutation(definition(endpoint, how)),
        build,
      } as Builder) as D extends EndpointDefinitions ? D : never,
  });
}
