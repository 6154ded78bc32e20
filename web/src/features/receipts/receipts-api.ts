import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { call } from '../../api/call.ts';

interface PaymentOfUser {
  userId: string;
  paymentId: string;
}

const receiptsApi = addEndpoints(({ query, build }) => ({
  receipt: query(at.receipt, {
    send: (params: PaymentOfUser) => ({ params }),
    transformResponse: ({ receipt }) => receipt,
    // No push announces a refund, so a cached receipt may be outdated.
    keepUnusedDataFor: 0,
  }),
  /** Returns the object URL of the file. */
  receiptFile: build.mutation<string, PaymentOfUser & { number: string }>({
    query: (params) => ({
      ...call(at.receiptFile, { params }),
      responseHandler: async (reply: Response) =>
        reply.ok ? URL.createObjectURL(await reply.blob()) : reply.json(),
    }),
  }),
}));

export const { useReceiptQuery, useReceiptFileMutation } = receiptsApi;
