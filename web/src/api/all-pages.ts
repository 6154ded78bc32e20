import type { Endpoint, ReplyAt } from '@lendtools/contracts/call';
import type { QueryDefinition, QueryExtraOptions } from '@reduxjs/toolkit/query/react';
import type { Build } from './add-endpoints.ts';
import type { Query, Tag } from './base-api.ts';
import { call, type Input } from './call.ts';

/** The maximum number of rows to load: few enough for any browser's memory. */
const mostRows = 10_000;
const pageSize = 200;

interface AllRows<Row> {
  rows: Row[];
  isCut: boolean;
}

type AllPagesOptions<E extends Endpoint, A, Row> = {
  send: (arg: A) => Input<E>;
  rowsOf: (page: ReplyAt<E>) => Row[];
  most?: number;
} & Omit<QueryExtraOptions<Tag, AllRows<Row>, A, Query, 'api'>, 'type'>;

/** Loads the pages of a list one after the other, until there are `most` rows. */
export function allPages<E extends Endpoint, A, Row>(
  build: Build,
  endpoint: E,
  { send, rowsOf, most = mostRows, ...options }: AllPagesOptions<E, A, Row>,
): QueryDefinition<A, Query, Tag, AllRows<Row>, 'api'> {
  return build.query<AllRows<Row>, A>({
    async queryFn(arg, _api, _options, ask) {
      const request = call(endpoint, send(arg));
      const rows: Row[] = [];
      let cursor: string | null = null;
      do {
        const params: object = { ...request.params, limit: pageSize, ...(cursor && { cursor }) };
        const answer = await ask({ ...request, params });
        if (answer.error) return { error: answer.error };
        const page = answer.data as ReplyAt<E> & { nextCursor: string | null };
        rows.push(...rowsOf(page));
        cursor = page.nextCursor;
      } while (cursor && rows.length < most);
      return { data: { rows, isCut: cursor !== null } };
    },
    ...options,
  });
}
