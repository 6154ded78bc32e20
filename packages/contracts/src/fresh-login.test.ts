import { expect, it } from '@jest/globals';
import { type Route, routes } from './index.ts';

/** What could lock a user out, and what admins could do harm with. ADR 19 lists them. */
const inNeed: Record<'all' | 'admins', (keyof typeof routes)[]> = {
  all: [
    ...(['endSession', 'endOtherSessions', 'restoreEmail'] as const),
    ...([
      'startTotp',
      'confirmTotp',
      'removeTotp',
      'renewRecoveryCodes',
      'requestDeletion',
      'requestDataExport',
      'dataExport',
    ] as const),
  ],
  admins: [
    ...(['setUser', 'settleProblem', 'cancelBooking', 'refundBooking'] as const),
    ...(['holdPayouts', 'retryTransfer', 'writeOffDebt', 'waiveInquiry'] as const),
    ...(['statementCsv', 'statementPdf', 'ledgerCsv'] as const),
  ],
};

it.each(['all', 'admins'] as const)('these routes need a fresh login of %s', (whom) => {
  for (const name of inNeed[whom])
    expect([name, (routes[name] as Route).needsFreshLogin]).toEqual([name, whom]);
});
