import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { loadFile } from '../../api/load-file.ts';

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
  receiptFile: loadFile(build, at.receiptFile, (params: PaymentOfUser & { number: string }) => ({
    params,
  })),
}));

export const { useReceiptQuery, useReceiptFileMutation } = receiptsApi;
