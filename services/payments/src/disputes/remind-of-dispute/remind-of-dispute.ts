import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { claimDisputeToRemind } from '../../store/dispute-repository.ts';
import { readPayment } from '../../store/payment-repository.ts';

/** Reminds the admins once of a dispute whose evidence is due within two days. */
export const remindOfDispute = ({ pool }: Pick<Deps, 'pool'>, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
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
  });
