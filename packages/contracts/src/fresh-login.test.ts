import { describe, expect, it } from '@jest/globals';
import { type Route, routes } from './index.ts';

/** What could lock a user out, and what admins could do harm with. */
const expected: Record<'all' | 'admins', (keyof typeof routes)[]> = {
  all: [
    'endSession',
    'endOtherSessions',
    'restoreEmail',
    'startTotp',
    'confirmTotp',
    'removeTotp',
    'renewRecoveryCodes',
    'startPasskey',
    'addPasskey',
    'removePasskey',
    'removeSecondFactors',
    'requestDeletion',
    'requestDataExport',
    'dataExport',
  ],
  admins: [
    'setUser',
    'settleProblem',
    'cancelBooking',
    'refundBooking',
    'holdPayouts',
    'retryTransfer',
    'writeOffDebt',
    'waiveInquiry',
    'statementCsv',
    'statementPdf',
    'ledgerCsv',
  ],
};

describe('needsFreshLogin', () => {
  it.each(['all', 'admins'] as const)('is %s on the routes that ADR 19 lists', (whom) => {
    for (const name of expected[whom])
      expect([name, (routes[name] as Route).needsFreshLogin]).toEqual([name, whom]);
  });
});
