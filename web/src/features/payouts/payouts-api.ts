import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints, type QueryOf } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';
import { loadFile } from '../../api/load-file.ts';

export type EarnedWhen = QueryOf<typeof at.payouts>['when'];

interface EarnedList {
  ownerId: string;
  /** All bookings without it. */
  when?: EarnedWhen;
}
interface StatementOf {
  userId: string;
  month: string;
}
interface Share {
  paymentId: string;
  bookingId: string;
}
interface WriteOff {
  userId: string;
  cents: number;
  reason: string;
  idempotencyKey: string;
}

const payoutsApi = addEndpoints(({ query, mutation, build }) => ({
  payouts: pages(build, at.payouts, {
    limit: 20,
    send: ({ ownerId, when }: EarnedList) => ({ params: { userId: ownerId }, query: { when } }),
    providesTags: ['Payout', { type: 'Booking', id: 'LIST' }],
  }),
  statementCsv: loadFile(build, at.statementCsv, (params: StatementOf) => ({ params })),
  statementPdf: loadFile(build, at.statementPdf, (params: StatementOf) => ({ params })),
  adminPayouts: query(at.adminPayouts, { providesTags: ['Payout'] }),
  stuckTransfers: pages<typeof at.stuckTransfers, void>(build, at.stuckTransfers, {
    providesTags: ['Payout'],
  }),
  failedRefunds: pages<typeof at.failedRefunds, void>(build, at.failedRefunds, {
    providesTags: ['Payout'],
  }),
  debts: pages<typeof at.debts, void>(build, at.debts, { providesTags: ['Payout'] }),
  retryTransfer: mutation(at.retryTransfer, {
    send: (params: Share) => ({ params }),
    invalidatesTags: ['Payout'],
  }),
  writeOffDebt: mutation(at.writeOffDebt, {
    send: ({ userId, cents, reason, idempotencyKey }: WriteOff) => ({
      params: { userId },
      body: { cents, reason },
      idempotencyKey,
    }),
    invalidatesTags: ['Payout'],
  }),
  ledgerCsv: loadFile(build, at.ledgerCsv, (month: string) => ({ params: { month } })),
}));

export const {
  usePayoutsInfiniteQuery,
  useStatementCsvMutation,
  useStatementPdfMutation,
  useAdminPayoutsQuery,
  useStuckTransfersInfiniteQuery,
  useFailedRefundsInfiniteQuery,
  useDebtsInfiniteQuery,
  useRetryTransferMutation,
  useWriteOffDebtMutation,
  useLedgerCsvMutation,
} = payoutsApi;
