import { randomUUID } from 'node:crypto';
import { newEvent } from '@lendtools/event-bus';
import { bookingCancelled, httpClient, waitFor } from '@lendtools/testing';
import type { TestShare } from './fake-bookings.ts';
import { cancellation, type TestPayments } from './payments-service.ts';
import { payoutAccounts } from './payout-accounts.ts';

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

/** A paid booking: the only one of its payment. */
export interface Lent extends Bought {
  bookingId: string;
  ownerId: string;
}

export const tenPercent = { percent: 10, fixedCents: 0 };
const anHour = 3_600_000;

const partiesOf = ({ bookingId, ownerId, userId, paymentId }: Lent) => ({
  bookingId,
  paymentIds: [paymentId],
  ownerId,
  toolId: randomUUID(),
  toolName: 'Drill',
  renterId: userId,
  bookingCode: 'LT123456',
});

/** Events after which bookings may let a booking's owner be paid. */
const over = {
  BookingCompleted: (lent: Lent) => ({
    ...partiesOf(lent),
    quantity: 1,
    endsAt: new Date().toISOString(),
    returnedAt: null,
  }),
  BookingCancelled: (lent: Lent) => bookingCancelled(partiesOf(lent)),
  BookingProblemSettled: (lent: Lent) => ({
    ...partiesOf(lent),
    problemId: randomUUID(),
    kind: 'reported',
    by: 'renter',
    adminId: randomUUID(),
    note: 'Settled.',
  }),
};

export const transfersOf = (payments: TestPayments) => {
  const accounts = payoutAccounts(payments);
  const { pool, stripe } = payments;
  const transfers = {
    accounts,
    /** A paid cart, whose shares bookings lists. */
    async buy(shares: TestShare[]): Promise<Bought> {
      const bought = await payments.buyAndPay();
      payments.shares.set(bought.paymentId, shares);
      await transfers.releaseNow(bought);
      return bought;
    },
    /** A paid booking of $42 that is still open. */
    async lend(ownerId: string, terms: TestShare['terms'] = tenPercent): Promise<Lent> {
      const bookingId = randomUUID();
      const bought = await transfers.buy([{ bookingId, ownerId, cents: 4200, terms }]);
      await payments.hasBalances(bought.paymentId, { card: -4200, [`pending ${bookingId}`]: 4200 });
      return { ...bought, bookingId, ownerId };
    },
    /** Bookings completes all bookings of a payment. */
    complete({ paymentId }: { paymentId: string }, at = new Date(Date.now() - anHour)): void {
      const shares = payments.shares.get(paymentId) ?? [];
      payments.shares.set(
        paymentId,
        shares.map((share) => ({ ...share, releaseAt: at.toISOString() })),
      );
    },
    releaseNow: ({ paymentId }: { paymentId: string }) =>
      pool.query('UPDATE payments SET release_at = now() WHERE id = $1', [paymentId]),
    /** A booking that is completed and released, and whose owner's part is available. */
    async released(ownerId: string): Promise<Lent> {
      const lent = await transfers.lend(ownerId);
      transfers.complete(lent);
      await transfers.releaseNow(lent);
      await waitFor('the release', async () => {
        const balances = await payments.balances(lent.paymentId);
        return balances[`pending ${lent.bookingId}`] === undefined;
      });
      return lent;
    },
    isSent: ({ paymentId, bookingId }: Lent, cents = 3780) =>
      payments.hasBalances(paymentId, {
        card: -4200,
        [`commission ${bookingId}`]: 420,
        owner: cents,
        ...(cents < 3780 && { netting: 3780 - cents }),
      }),
    async rows({ paymentId }: { paymentId: string }) {
      const { rows } = await pool.query(
        'SELECT * FROM transfers WHERE payment_id = $1 ORDER BY id',
        [paymentId],
      );
      return rows;
    },
    atStripe: async ({ intentId }: { intentId: string }) =>
      (await stripe.transfers.list({ transfer_group: `group_${intentId}` })).data,
    /** Waits until a transfer was rejected and its money is available again. */
    rejected: (lent: Lent, count = 1) =>
      waitFor('the rejection', async () => {
        const rows = await transfers.rows(lent);
        return rows.length === count && rows.at(-1).status === 'rejected';
      }),
    /** Does not wait for the next try of a transfer. */
    tryNow: ({ paymentId }: { paymentId: string }) =>
      pool.query(
        `UPDATE transfers SET next_try_at = now()
         WHERE payment_id = $1 AND status <> 'sent' AND next_try_at < 'infinity'`,
        [paymentId],
      ),
    async readyLater(ownerId: string) {
      const token = await payments.accounts.sign({ userId: ownerId });
      const owner = { userId: ownerId, token };
      const accountId = await accounts.onboard(owner);
      await pool.query('UPDATE payout_accounts SET next_check_at = now() WHERE owner_id = $1', [
        ownerId,
      ]);
      await waitFor('the account', async () => (await accounts.row(owner)).state === 'ready');
      return { owner, accountId };
    },
    cancel(lent: Lent, cents: number) {
      const event = cancellation(lent, cents);
      return payments.broker.send({ ...event, data: { ...event.data, bookingId: lent.bookingId } });
    },
    async atBank(path: string, body: object = {}) {
      const at = `/sandbox/disputes${path}`;
      const token = 'sk_test_payments';
      return (await httpClient(payments.sandbox.url).post(at, { token, body })).body;
    },
    async dispute({ intentId, paymentId }: Bought, body: object = {}): Promise<string> {
      const { id } = await transfers.atBank('', { payment_intent: intentId, ...body });
      await waitFor('the dispute', async () => (await payments.row(paymentId)).dispute);
      return id;
    },
    async hold(ownerId: string, isHeld: boolean) {
      const token = await payments.accounts.sign({ role: 'Admin' });
      await payments.api.put(`/api/admin/users/${ownerId}/payout-account`, {
        token,
        body: { isHeld },
      });
    },
    /** As an admin does. */
    async retry({ paymentId, bookingId }: Lent) {
      const token = await payments.accounts.sign({ role: 'Admin' });
      return payments.api.post(`/api/admin/payments/${paymentId}/transfers/${bookingId}/retry`, {
        token,
      });
    },
    /** Waits until the owner's bank has everything, so that nothing can be reversed. */
    paidOut: (stripeAccount: string) =>
      waitFor('the payout', async () => {
        const { data } = await stripe.payouts.list({}, { stripeAccount });
        return data.length > 0 && data.every(({ status }) => status === 'paid');
      }),
    /** Waits until no task of the payment or its shares is due. */
    rests: (paymentId: string) =>
      waitFor('the tasks', async () => {
        const { rows } = await pool.query(
          `SELECT FROM graphile_worker._private_jobs WHERE key LIKE '%' || $1 || '%' AND run_at <= now()`,
          [paymentId],
        );
        return rows.length === 0;
      }),
    bookingOver: (type: keyof typeof over, lent: Lent) =>
      payments.broker.send(
        newEvent(type, { id: lent.bookingId, version: 9 }, over[type](lent) as never),
      ),
  };
  return transfers;
};

/** The idempotency keys of the requests at Stripe that caused events of a type about an object. */
export const keysAtStripe = async (
  { stripe }: TestPayments,
  type: string,
  objectId: string,
): Promise<(string | null | undefined)[]> => {
  const events = await stripe.events.list({ type, limit: 100 });
  return events.data
    .filter(({ data }) => (data.object as { id?: string }).id === objectId)
    .map(({ request }) => request?.idempotency_key);
};

/** As after a restore: the database lacks what happened since, and Stripe does not. */
export const forgetTransfers = async (
  { pool }: TestPayments,
  { paymentId }: { paymentId: string },
): Promise<void> => {
  await pool.query(
    `ALTER TABLE ledger DISABLE TRIGGER reject_change_of_ledger;
     DELETE FROM ledger WHERE payment_id = '${paymentId}' AND key LIKE 'transfer:%';
     DELETE FROM expected_transactions WHERE payment_id = '${paymentId}' AND key LIKE 'transfer:%';
     DELETE FROM transfers WHERE payment_id = '${paymentId}';
     ALTER TABLE ledger ENABLE TRIGGER reject_change_of_ledger`,
  );
};
