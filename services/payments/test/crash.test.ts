import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient, waitFor } from '@lendtools/testing';
import { rejection, startTestWorld, type TestWorld } from './payments-service.ts';

/** Each place where a kill hurts most: money moved or promised, and not yet written down or told. */
let world: TestWorld;
let child: ChildProcess | undefined;
let port: number;

beforeAll(async () => {
  world = await startTestWorld();
  port = await freePort();
  world.sandbox.sendWebhooksTo(`http://127.0.0.1:${port}/api/payment/webhook`);
});

afterEach(async () => {
  await stop();
  // Killed between a publish and its mark, it would publish that again and meet the next test's fault too soon.
  await world.pool.query('UPDATE outbox_messages SET published_at = now()');
});

afterAll(() => world.stop());

describe('payments killed with -9', () => {
  it.each(['payments.beforeStripeCreate', 'payments.afterStripeCreate'])(
    'at %s: asked again, the hold has one intent',
    async (fault) => {
      await start(`${fault}:1:kill`);
      const purchase = await newPurchase();
      await purchase.create().catch(() => {});
      await killed();

      await start();
      const reply = await purchase.create();

      expect(reply.status).toBe(201);
      const made = (await world.ledger()).paymentIntents.filter(
        (one) => one.metadata.holdId === purchase.holdId,
      );
      expect(made).toHaveLength(1);
    },
  );

  it.each([
    'payments.beforeSettleCommit',
    'payments.afterWebhookCommit',
    'relay.afterPublish',
    'relay.afterConfirm',
  ])('at %s: the success is told, and is one event', async (fault) => {
    await start(`${fault}:1:kill`);
    const bought = await paid(await newPurchase());
    await killed();

    await start();

    const { id } = await world.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    const { rows } = await world.pool.query(
      `SELECT id FROM outbox_messages WHERE aggregate_id = $1 AND type = 'PaymentSucceeded'`,
      [bought.paymentId],
    );
    expect(rows).toEqual([{ id }]);
  });

  it.each([
    'payments.beforeStripeRefund',
    'payments.afterStripeRefund',
    'payments.beforeRefundCommit',
  ])('at %s: the money goes back once', async (fault) => {
    await start();
    const bought = await paid(await newPurchase());
    await world.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    // Armed only now: a late webhook about the former test's refund would meet the fault as well.
    await stop();
    await start(`${fault}:1:kill`);
    await world.broker.send(rejection(bought));
    await killed();

    await start();

    await waitFor('PaymentRefunded', async () => {
      // The dead process's claim runs out by itself within half a minute; a test need not wait for it.
      await world.pool.query('UPDATE refunds SET next_try_at = now() WHERE payment_id = $1', [
        bought.paymentId,
      ]);
      return world.heard('PaymentRefunded', bought.paymentId).length > 0;
    });
    const refunds = (await world.ledger()).refunds.filter(
      (one) => one.payment_intent === bought.intentId,
    );
    expect(refunds.map((one) => one.amount)).toEqual([4200]);
  });

  it('at payments.afterStripeCancel: the end of the hold is told once', async () => {
    await start('payments.afterStripeCancel:1:kill');
    const purchase = await newPurchase();
    const { paymentId } = (await purchase.create()).body;
    await world.pool.query(
      'UPDATE payments SET expires_at = now(), next_check_at = now() WHERE id = $1',
      [paymentId],
    );
    await killed();

    await start();
    await world.pool.query('UPDATE payments SET next_check_at = now() WHERE id = $1', [paymentId]);

    const { data } = await world.broker.expectEvent(
      'PaymentFailed',
      (one) => one.paymentId === paymentId,
    );
    expect(data.final).toBe(true);
    const { rows } = await world.pool.query(
      'SELECT type FROM outbox_messages WHERE aggregate_id = $1',
      [paymentId],
    );
    expect(rows).toEqual([{ type: 'PaymentFailed' }]);
  });
});

const start = async (fault = ''): Promise<void> => {
  child = spawn(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname], {
    env: { ...world.env, PORT: String(port), FAULT: fault },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitFor('the service', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
};

const killed = async (): Promise<void> => {
  if (child && child.signalCode === null) await once(child, 'exit');
  expect(child?.signalCode).toBe('SIGKILL');
};

const stop = async (): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const newPurchase = async () => {
  const userId = randomUUID();
  const token = await world.accounts.sign({ userId });
  const holdId = randomUUID();
  world.holds.set(holdId, { userId, amount: 4200 });
  const body = { amount: 4200, holdId };
  const api = httpClient(`http://127.0.0.1:${port}`);
  const create = () => api.post('/api/payment/create-payment-intent', { token, body });
  return { userId, holdId, create };
};

const paid = async (purchase: Awaited<ReturnType<typeof newPurchase>>) => {
  const { paymentId, clientSecret } = (await purchase.create()).body;
  const intentId = String(clientSecret).split('_secret_')[0] as string;
  await world.stripe.paymentIntents.confirm(intentId, { payment_method: 'pm_card_visa' });
  return { ...purchase, paymentId: paymentId as string, intentId };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  return free;
};
