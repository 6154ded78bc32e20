import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { forEachRow, type RowRange, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { claimDisputeToRemind, findDisputesToRemind } from '../dispute-repository.ts';
import { readPayment } from '../payment-repository.ts';

/** Publishes DisputeAnswerDue for disputes whose evidence is due soon, once per deadline. */
export const remindOfDisputes = async (deps: Deps): Promise<void> => {
  const find = (range: RowRange) => findDisputesToRemind(deps.pool, range);
  await forEachRow(deps, 'remind-of-disputes', find, remindOfDispute);
};

const remindOfDispute = async (tx: Transaction, id: string): Promise<void> => {
  const dispute = await claimDisputeToRemind(tx, id);
  if (!dispute) return;
  const { disputeId, paymentId, amountCents: disputeCents, reason, answerBy } = dispute;
  const { userId, holdId, version } = await readPayment(tx, paymentId);
  const data = { paymentId, userId, holdId, disputeId, disputeCents, reason };
  await addToOutbox(
    tx,
    newEvent(
      'DisputeAnswerDue',
      { id: paymentId, version },
      { ...data, answerBy: answerBy.toISOString() },
    ),
  );
};
