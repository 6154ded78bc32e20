import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';
import { baseApi, type Tag } from './base-api.ts';

interface BlockInput {
  userId: string;
  id: string;
}

function send({ userId, id }: BlockInput) {
  return { params: { userId, id } };
}

/** What a block hides or closes. */
const affected: Tag[] = ['Message', 'Tool', 'SavedTool', 'Availability'];

/** Catalog, bookings and messaging usually copy a block within this time. */
const copiedMs = 2_000;

interface Started {
  dispatch: (action: ReturnType<typeof baseApi.util.invalidateTags>) => unknown;
  queryFulfilled: Promise<unknown>;
}

function refetchOnceCopied(_: BlockInput, { dispatch, queryFulfilled }: Started) {
  void queryFulfilled.then(
    () => setTimeout(() => dispatch(baseApi.util.invalidateTags(affected)), copiedMs),
    () => undefined,
  );
}

const blocksApi = addEndpoints(({ query, mutation }) => ({
  blockedPeople: query(at.blockedPeople, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ people }) => people,
    providesTags: ['Block'],
  }),
  blockPerson: mutation(at.blockPerson, {
    send,
    onQueryStarted: refetchOnceCopied,
    invalidatesTags: ['Block', ...affected],
  }),
  unblockPerson: mutation(at.unblockPerson, {
    send,
    onQueryStarted: refetchOnceCopied,
    invalidatesTags: ['Block', ...affected],
  }),
}));

export const { useBlockedPeopleQuery, useBlockPersonMutation, useUnblockPersonMutation } =
  blocksApi;
