import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { claimDisputeToRemind } from '../dispute-repository.ts';
import { readPayment } from '../payment-repository.ts';

/** Publishes the disputes whose evidence is due soon, each once for its deadline. */
export const remindOfDisputes = async ({ pool }: Deps): Promise<void> => {
  while (await inTransaction(pool, remindOfOne));
};

const remindOfOne = async (tx: Transaction): Promise<boolean> => {
  const dispute = await claimDisputeToRemind(tx);
  if (!dispute) return false;
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
  return true;
};
