import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runTasksNow } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

const disputed = async (): Promise<Bought> => {
  const bought = await payments.buyAndPay('pm_card_createDispute');
  await payments.webhooksDelivered(bought.intentId);
  return bought;
};

const disputeOf = async ({ paymentId }: Bought) =>
  (await payments.pool.query('SELECT * FROM disputes WHERE payment_id = $1', [paymentId])).rows[0];

const move = ({ paymentId }: Bought, openedAgo: string, dueIn: string, status = 'needs_response') =>
  payments.pool.query(
    `UPDATE disputes SET created_at = now() - $2::interval, status = $4,
       answer_by = CASE WHEN $4 = 'under_review' THEN 'infinity' ELSE now() + $3::interval END
     WHERE payment_id = $1`,
    [paymentId, openedAgo, dueIn, status],
  );

/** When `remind-of-dispute` will run for the dispute of a payment; undefined if it is not scheduled. */
const scheduledAt = async (bought: Bought): Promise<Date | undefined> => {
  const { rows } = await payments.pool.query(
    `SELECT run_at FROM graphile_worker.jobs WHERE key = 'remind-of-dispute:' || $1`,
    [(await disputeOf(bought)).dispute_id],
  );
  return rows[0]?.run_at;
};

const reminders = ({ paymentId }: Bought) => payments.published('DisputeAnswerDue', paymentId);
const reminded = (bought: Bought) => waitFor('the reminder', () => reminders(bought)[0]);

describe('remind-of-dispute', () => {
  it('reminds admins once of a dispute whose evidence is due within two days', async () => {
    const bought = await disputed();

    await move(bought, '5 days', '47 hours');

    const { data } = (await reminded(bought)) as { data: object };
    const { answer_by: answerBy, dispute_id: disputeId } = await disputeOf(bought);
    expect(data).toMatchObject({
      paymentId: bought.paymentId,
      disputeId,
      disputeCents: 4200,
      reason: 'fraudulent',
      answerBy: answerBy.toISOString(),
    });
    const later = await disputed();
    await move(later, '5 days', '47 hours');
    await reminded(later);
    expect(reminders(bought)).toHaveLength(1);
  });

  it.each([
    ['is due in three days', '5 days', '3 days', 'needs_response'],
    ['was opened less than a day ago', '5 hours', '30 hours', 'needs_response'],
    ['is overdue', '9 days', '-1 hour', 'needs_response'],
    ['is answered', '5 days', '1 day', 'under_review'],
  ])('does not remind admins of a dispute that %s', async (_which, openedAgo, dueIn, status) => {
    const quiet = await disputed();
    await move(quiet, openedAgo, dueIn, status);
    const bought = await disputed();
    await move(bought, '5 days', '47 hours');

    await reminded(bought);

    expect(reminders(quiet)).toEqual([]);
  });

  it('schedules the reminder again if the task runs early, and cancels it once the dispute is answered', async () => {
    const bought = await disputed();
    await move(bought, '5 days', '3 days');
    const { answer_by: answerBy } = await disputeOf(bought);
    const dueAt = new Date(answerBy.getTime() - 2 * 86_400_000);

    const first = await scheduledAt(bought);
    await runTasksNow(payments.pool);
    await waitFor('the task', async () => +((await scheduledAt(bought)) ?? 0) === +dueAt);
    await move(bought, '5 days', '3 days', 'under_review');

    expect(first).toEqual(dueAt);
    expect(await scheduledAt(bought)).toBeUndefined();
  });
});
