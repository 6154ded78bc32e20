import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Event, type QueueName, type RefundOwed, subscriptions } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { type Running, readConfig } from '@lendtools/service-kit';
import {
  bookingCancelled,
  httpClient,
  startPostgresEnvironment,
  type TestBroker,
  waitFor,
} from '@lendtools/testing';
import pg from 'pg';
import Stripe from 'stripe';
import { createSandbox } from '../../../infra/stripe-sandbox/src/app.ts';
import { config } from '../src/config.ts';
import { refundKey } from '../src/domain/refund.ts';
import { migrations, startPayments } from '../src/start-payments.ts';
import { internalSecret, startFakeBookings, type TestHold } from './fake-bookings.ts';
import { sandboxKeys, stripeControls } from './stripe-controls.ts';

const nextWebhookSecret = 'whsec_next';

/** How long owners keep available money at Stripe, and how long the money of a charge stays pending. */
interface StripeDelays {
  captureDelayMs?: number;
  payoutDelayMs?: number;
  fundsDelaySeconds?: number;
}

export const startTestWorld = async (stripeDelays: StripeDelays = {}) => {
  const queues = Object.keys(subscriptions).filter((name) => name.startsWith('payments.'));
  const environment = await startPostgresEnvironment(migrations, queues as QueueName[]);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'payments-stripe-'));
  const sandbox = await createSandbox({
    ...sandboxKeys,
    dataDir,
    retryDelaysMs: [50, 100],
    refundDelayMs: 1_500,
    ...stripeDelays,
  });
  const bookings = await startFakeBookings();
  const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 2 });
  pool.on('error', () => {});
  const stripe = new Stripe(sandboxKeys.secretKey, {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
  });
  const { accounts, topology } = environment;
  /**
   * `send` adds the event's refunds to those that the bookings service owes. `sendRaw` does not, like the sender of a forged event.
   */
  const broker: TestBroker = {
    ...environment.broker,
    async send(event) {
      const orderedAt = new Date().toISOString();
      for (const refund of refundsOf(event as Event))
        if (!bookings.refunds.some((one) => refundKey(one) === refundKey(refund)))
          bookings.refunds.push({ ...refund, orderedAt });
      await environment.broker.send(event);
    },
  };
  return {
    broker,
    accounts,
    topology,
    pool,
    databaseUrl: environment.databaseUrl,
    stripe,
    sandbox,
    holds: bookings.holds,
    /** How many of the next requests the bookings stub drops without a reply. */
    bookingsOutage: bookings.outage,
    /** The states of the approvals, `pending` by default. `authorizations` are those that the stub received. */
    approvals: bookings.approvals,
    authorizations: bookings.authorizations,
    bookingsOf: bookings.bookingsOf,
    /** What the bookings stub lists of payments; it knows no others. */
    receiptLines: bookings.receiptLines,
    /** What the bookings stub says of owners' bookings, and their names; it knows no others. */
    earnedBookings: bookings.earnedBookings,
    ownerNames: bookings.ownerNames,
    /** The bookings stub's shares of each payment; none by default. */
    shares: bookings.shares,
    refundsOwed: bookings.refunds,
    /** The bookings stub's reply to whether a user may start another payment; 200 by default. */
    paymentLimits: bookings.paymentLimits,
    env: {
      ...environment.env,
      BOOKINGS_URL: bookings.url,
      INTERNAL_SECRET: internalSecret,
      STRIPE_SECRET_KEY: sandboxKeys.secretKey,
      STRIPE_PUBLISHABLE_KEY: sandboxKeys.publishableKey,
      STRIPE_WEBHOOK_SECRET: `${sandboxKeys.webhookSecret},${nextWebhookSecret}`,
      STRIPE_CONNECT_WEBHOOK_SECRET: sandboxKeys.connectSecret,
      STRIPE_API_BASE: sandbox.url,
    },
    ...stripeControls(sandbox.url, stripe),
    published: (type: string, paymentId: string) =>
      broker.received.filter(
        (event) =>
          event.type === type && (event.data as { paymentId?: string }).paymentId === paymentId,
      ),
    async stop() {
      await pool.end();
      await sandbox.close();
      await bookings.stop();
      await environment.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export type TestWorld = Awaited<ReturnType<typeof startTestWorld>>;

const paymentTable = (pool: pg.Pool) => {
  const table = {
    async row(paymentId: string) {
      const { rows } = await pool.query('SELECT * FROM payments WHERE id = $1', [paymentId]);
      return rows[0];
    },
    async expire(paymentId: string) {
      await pool.query(
        'UPDATE payments SET expires_at = now(), next_check_at = now() WHERE id = $1',
        [paymentId],
      );
    },
    async checkNow(paymentId: string) {
      await pool.query('UPDATE payments SET next_check_at = now() WHERE id = $1', [paymentId]);
    },
    /** Waits until the ledger contains what is stored. Polls of later shares may still be scheduled. */
    followed: (paymentId: string) =>
      waitFor('the ledger to follow', async () => {
        const { rows } = await pool.query(
          `SELECT FROM graphile_worker._private_jobs jobs WHERE key = 'follow-ledger:' || $1 AND run_at <= now()`,
          [paymentId],
        );
        return rows.length === 0;
      }),
    /** The balances of a payment that are not 0, such as `{ unallocated: 4200 }`; those of a booking with its id. */
    async balances(paymentId: string): Promise<Record<string, number>> {
      const { rows } = await pool.query<{ account: string; cents: string }>(
        `SELECT concat_ws(' ', account, booking_id) AS account, cents FROM ledger_balances
         WHERE payment_id = $1 AND cents <> 0`,
        [paymentId],
      );
      return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
    },
    /** Waits until the ledger has these balances. */
    async hasBalances(paymentId: string, expected: Record<string, number>): Promise<void> {
      let found = {};
      await waitFor('the balances', async () => {
        found = await table.balances(paymentId);
        return isDeepStrictEqual(found, expected);
      }).catch((error) => {
        throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`, {
          cause: error,
        });
      });
    },
    /** Waits until the payment of an open request was checked: its next check is then minutes away. */
    rests: (paymentId: string) =>
      waitFor('the payment to rest', async () => {
        const { next_check_at: nextAt } = await table.row(paymentId);
        return nextAt > new Date(Date.now() + 4 * 60_000);
      }),
  };
  return table;
};

export const startTestPayments = async (
  options: { replicas?: number; env?: Record<string, string> } & StripeDelays = {},
) => {
  const { replicas = 1, env, ...stripeDelays } = options;
  const world = await startTestWorld(stripeDelays);
  const { broker, accounts, pool, sandbox, stripe, holds } = world;
  const settings = readConfig(config, { ...world.env, ...env });
  const startOne = (): Promise<Running> =>
    startPayments(settings, { topology: world.topology, jobIntervalMs: 50 });
  const running: Running[] = [];
  for (let n = 0; n < replicas; n += 1) running.push(await startOne());
  const url = (running[0] as Running).url;
  const api = httpClient(url);

  const service = {
    ...world,
    ...paymentTable(pool),
    api,
    url,
    urls: running.map((one) => one.url),
    webhookSecret: sandboxKeys.webhookSecret,
    nextWebhookSecret,
    publishableKey: sandboxKeys.publishableKey,
    connectWebhooks: () => sandbox.sendWebhooksTo(`${url}/api/payment/webhook`),
    sendWebhook(event: object) {
      const payload = JSON.stringify(event);
      const signature = stripe.webhooks.generateTestHeaderString({
        payload,
        secret: sandboxKeys.webhookSecret,
      });
      return fetch(`${url}/api/payment/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body: payload,
      });
    },
    async connectPayoutWebhooks() {
      await world.signConnectEvents();
      sandbox.sendWebhooksTo(`${url}/api/payment/connect-webhook`, 'connect');
    },
    async signIn() {
      const userId = randomUUID();
      return { userId, token: await accounts.sign({ userId }) };
    },
    async buy(hold: Partial<TestHold> = {}) {
      const user = await service.signIn();
      const holdId = randomUUID();
      const amount = hold.amountCents ?? 4200;
      holds.set(holdId, { userId: user.userId, ...hold, amountCents: amount });
      const create = () =>
        api.post('/api/payment/create-payment-intent', {
          token: user.token,
          body: { amount, holdId, userId: user.userId },
        });
      const reply = await create();
      const { clientSecret, paymentId } = reply.body;
      const intentId = String(clientSecret).split('_secret_')[0] as string;
      return { ...user, holdId, amount, create, reply, clientSecret, paymentId, intentId };
    },
    async pay(intentId: string, card = 'pm_card_visa') {
      return stripe.paymentIntents.confirm(intentId, { payment_method: card });
    },
    confirm(bought: { token: string; paymentId: string; intentId: string }) {
      return api.put(`/api/payment/confirm-payment/${bought.paymentId}`, {
        token: bought.token,
        body: { paymentIntentId: bought.intentId },
      });
    },
    async buyAndPay(card?: string) {
      const bought = await service.buy();
      await service.pay(bought.intentId, card);
      await service.confirm(bought);
      await broker.expectEvent('PaymentSucceeded', (data) => data.paymentId === bought.paymentId);
      return bought;
    },
    async authorize(card?: string) {
      const bought = await service.buy({ onRequest: true });
      await service.pay(bought.intentId, card);
      await service.confirm(bought);
      await service.reported(bought.paymentId, 'authorized');
      await service.rests(bought.paymentId);
      return bought;
    },
    reported: (paymentId: string, status: string) =>
      waitFor(`the report to bookings: ${status}`, async () =>
        world.authorizations.find((one) => one.paymentId === paymentId && one.status === status),
      ),
    async stop() {
      for (const one of running) await one.stop();
      await world.stop();
    },
  };
  return service;
};

export type TestPayments = Awaited<ReturnType<typeof startTestPayments>>;

export const rejection = (
  bought: { paymentId: string; userId: string; holdId: string },
  refundCents = 4200,
) => {
  const { paymentId, userId, holdId } = bought;
  return newEvent(
    'BookingRejected',
    { id: paymentId, version: 1 },
    { paymentId, userId, holdId, refundCents, reason: 'slot-lost', toolNames: ['Drill'] },
  );
};

export const cancellation = (
  bought: { paymentId: string; userId: string },
  refundCents: number,
  refundParts = [{ paymentId: bought.paymentId, refundCents }],
) => {
  const data = bookingCancelled({ renterId: bought.userId, refunds: refundParts });
  return newEvent('BookingCancelled', { id: data.bookingId, version: 3 }, data);
};

export const acceptance = ({ holdId, userId }: { holdId: string; userId: string }) => {
  const bookingId = randomUUID();
  const parties = { toolId: randomUUID(), toolName: 'Drill', ownerId: randomUUID() };
  const data = {
    bookingId,
    ...parties,
    renterId: userId,
    bookingCode: 'LT123456',
    approvalId: randomUUID(),
    holdId,
  };
  return newEvent('ApprovalAccepted', { id: bookingId, version: 3 }, data);
};

const refundsOf = ({ type, data }: Event): RefundOwed[] => {
  if (type === 'BookingRejected') return [{ ...data, bookingId: null, grantId: null }];
  if (type === 'BookingRefundGranted') {
    const { bookingId, grantId, toolName } = data;
    const shared = { bookingId, grantId, reason: 'admin' as const, toolNames: [toolName] };
    return data.refunds.map((refund) => ({ ...refund, ...shared }));
  }
  if (type === 'BookingChanged') {
    const { bookingId, changeId: grantId, toolName } = data;
    const shared = { bookingId, grantId, reason: 'changed' as const, toolNames: [toolName] };
    return data.refunds.map((refund) => ({ ...refund, ...shared }));
  }
  if (type !== 'BookingCancelled') return [];
  const { bookingId, toolName } = data;
  const shared = { bookingId, grantId: null, reason: 'cancelled' as const, toolNames: [toolName] };
  return data.refunds.map((refund) => ({ ...refund, ...shared }));
};
