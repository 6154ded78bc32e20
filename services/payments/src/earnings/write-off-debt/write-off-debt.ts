import { routes } from '@lendtools/contracts';
import { databaseNow, forbidden, handle, once, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { debtChanged } from '../../domain/errors.ts';
import { insertWriteOff, listAllDebts, type WriteOff } from '../../store/debt-repository.ts';
import { insertEntries } from '../../store/ledger-repository.ts';
import { lockPayment } from '../../store/payment-repository.ts';
import { lockAccounts } from '../../store/payout-account-repository.ts';

export const writeOffDebt = ({ pool }: Deps) =>
  handle(routes.writeOffDebt, async ({ user, params, body, idempotencyKey }) => {
    if (params.userId === user.userId) throw forbidden();
    const { cents, reason } = body;
    const wanted = { ownerId: params.userId, adminId: user.userId, cents, reason };
    const id = await once(
      pool,
      { key: idempotencyKey, scope: user.userId, route: 'writeOffDebt', content: wanted },
      (tx) => writeOff(tx, wanted),
    );
    return { id, writtenOffCents: cents };
  });

/** @throws AppError DEBT_CHANGED unless the whole debt is written off */
const writeOff = async (tx: Transaction, wanted: WriteOff): Promise<string> => {
  const { ownerId, cents } = wanted;
  const debts = await lockDebts(tx, ownerId);
  const owed = debts.reduce((sum, debt) => sum + debt.cents, 0);
  if (owed !== cents) throw debtChanged(owed);
  const id = await insertWriteOff(tx, wanted);
  const movement = { key: `write-off:${id}`, stripeId: null, happenedAt: await databaseNow(tx) };
  for (const [index, { paymentId, bookingId, cents }] of debts.entries()) {
    const posting = { from: 'losses', to: 'debts', cents, bookingId, ownerId } as const;
    await insertEntries(tx, paymentId, [{ ...movement, line: index + 1, ...posting }]);
  }
  return id;
};

/**
 * Locks the payments of an owner's debts, then the owner, and reads the debts again. One that was made meanwhile changes the sum,
 * so that nothing is written off.
 */
const lockDebts = async (tx: Transaction, ownerId: string) => {
  const payments = new Set((await listAllDebts(tx, ownerId)).map(({ paymentId }) => paymentId));
  for (const paymentId of payments) await lockPayment(tx, paymentId);
  await lockAccounts(tx, [ownerId]);
  return listAllDebts(tx, ownerId);
};
