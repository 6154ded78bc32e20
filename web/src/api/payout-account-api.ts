import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

function ofUser(userId: string) {
  return { params: { userId } };
}

const payoutAccountApi = addEndpoints(({ query, mutation }) => ({
  payoutAccount: query(at.payoutAccount, { send: ofUser, providesTags: ['Payout'] }),
  createPayoutLink: mutation(at.createPayoutLink, { send: ofUser }),
  holdPayouts: mutation(at.holdPayouts, {
    send: ({ userId, isHeld }: { userId: string; isHeld: boolean }) => ({
      params: { userId },
      body: { isHeld },
    }),
    invalidatesTags: ['Payout'],
  }),
}));

export const { usePayoutAccountQuery, useCreatePayoutLinkMutation, useHoldPayoutsMutation } =
  payoutAccountApi;
