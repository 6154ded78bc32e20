import type { Endpoint } from '@lendtools/contracts/call';
import type { MutationDefinition } from '@reduxjs/toolkit/query/react';
import type { Build } from './add-endpoints.ts';
import type { Query, Tag } from './base-api.ts';
import { call, type Input } from './call.ts';

/** Loads a file; the hook returns its object URL. */
export function loadFile<E extends Endpoint, A>(
  build: Build,
  endpoint: E,
  send: (arg: A) => Input<E>,
): MutationDefinition<A, Query, Tag, string, 'api'> {
  return build.mutation<string, A>({
    query: (arg) => ({
      ...call(endpoint, send(arg)),
      responseHandler: async (reply: Response) =>
        reply.ok ? URL.createObjectURL(await reply.blob()) : reply.json(),
    }),
  });
}
