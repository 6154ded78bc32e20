import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';

type DisputeList = 'open' | 'over';

const disputesApi = addEndpoints(({ mutation, build }) => ({
  disputes: pages(build, at.disputes, {
    send: (when: DisputeList) => ({ query: { when } }),
    providesTags: ['Dispute'],
  }),
  fraudWarnings: pages(build, at.fraudWarnings, {
    send: (when: DisputeList) => ({ query: { when } }),
    providesTags: ['Dispute'],
  }),
  waiveInquiry: mutation(at.waiveInquiry, {
    send: (id: string) => ({ params: { id } }),
    invalidatesTags: ['Dispute', 'Payout'],
  }),
}));

export const { useDisputesInfiniteQuery, useFraudWarningsInfiniteQuery, useWaiveInquiryMutation } =
  disputesApi;
