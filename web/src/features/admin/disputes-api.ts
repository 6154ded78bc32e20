import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';

type DisputeList = 'open' | 'over';

const disputesApi = addEndpoints(({ build }) => ({
  disputes: pages(build, at.disputes, {
    send: (when: DisputeList) => ({ query: { when } }),
    providesTags: ['Dispute'],
  }),
  fraudWarnings: pages(build, at.fraudWarnings, {
    send: (when: DisputeList) => ({ query: { when } }),
    providesTags: ['Dispute'],
  }),
}));

export const { useDisputesInfiniteQuery, useFraudWarningsInfiniteQuery } = disputesApi;
