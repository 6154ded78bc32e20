import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

function ofUser(userId: string) {
  return { params: { userId } };
}

const payoutAccountApi = addEndpoints(({ query, mutation }) => ({
  payoutAccount: query(at.payoutAccount, { send: ofUser }),
  createPayoutLink: mutation(at.createPayoutLink, { send: ofUser }),
}));

export const { usePayoutAccountQuery, useCreatePayoutLinkMutation } = payoutAccountApi;
