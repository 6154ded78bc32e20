import type { Transaction } from '@lendtools/service-kit';
import type { Entry } from '../domain/ledger.ts';
import { readLedger } from './ledger-repository.ts';
import { lockPayment } from './payment-repository.ts';
import { lockAccounts } from './payout-account-repository.ts';

/**
 * Locks a payment, then the owners of its shares. Reads the entries again under the owners' locks, because netting adds entries
 * to a payment under its owner's lock only.
 */
export const lockLedger = async (tx: Transaction, paymentId: string): Promise<Entry[]> => {
  await lockPayment(tx, paymentId);
  const ownerIds = (await readLedger(tx, paymentId)).flatMap(({ ownerId }) => ownerId ?? []);
  await lockAccounts(tx, ownerIds);
  return readLedger(tx, paymentId);
};
