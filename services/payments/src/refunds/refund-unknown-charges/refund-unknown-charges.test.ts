import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { endUnknownIntent, listUnknownIntents, mayBeCheckout } from './refund-unknown-charges.ts';

let payments: TestPayments;
const since = new Date(Date.now() - 60_000);

beforeAll(async () => {
  payments = await startTestPayments();
});
afterEach(() => payments.clearFaults());
afterAll(() => payments.stop());

const create = (metadata: Record<string, string>, isPaid = true, card = 'pm_card_visa') =>
  payments.stripe.paymentIntents.create({
    amount: 4_200,
    currency: 'usd',
    metadata,
    ...(isPaid && { confirm: true, payment_method: card }),
  });
const unknownIds = async (): Promise<string[]> =>
  (await listUnknownIntents(payments, since)).map(({ id }) => id);

it("finds intents that a restored database lacks, but no known ones and no other program's", async () => {
  const known = await payments.buy();
  await payments.pay(known.intentId);
  await create({});

  const lost = await create({ paymentId: 'lost' });
  const lostAlone = await create({ paymentId: known.paymentId });

  expect(await unknownIds()).toEqual([lostAlone.id, lost.id]);
  const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
  expect(await listUnknownIntents(payments, inMinutes(55))).toHaveLength(2);
  expect(await listUnknownIntents(payments, inMinutes(65))).toEqual([]);
});

it('refunds the unrefunded part of an unknown charge once, and cancels an unpaid intent', async () => {
  const paid = await create({ paymentId: 'paid' });
  await payments.stripe.refunds.create({ payment_intent: paid.id, amount: 1_000 });
  const open = await create({ paymentId: 'open' }, false);

  for (let time = 1; time <= 2; time++) {
    await endUnknownIntent(payments.stripe, paid);
    if (time === 1) await endUnknownIntent(payments.stripe, open);
  }

  const { refunds } = await payments.ledger();
  const given = refunds.filter(({ payment_intent }) => payment_intent === paid.id);
  expect(given.map(({ amount }) => amount)).toEqual([1_000, 3_200]);
  expect((await payments.stripe.paymentIntents.retrieve(open.id)).status).toBe('canceled');
  const left = await unknownIds();
  expect([left.includes(paid.id), left.includes(open.id)]).toEqual([false, false]);
});

it('refunds an unknown charge again after its refund has failed', async () => {
  const paid = await create({ paymentId: 'refund-fails' }, true, 'pm_card_refundFail');
  const statuses = async () => {
    const { data } = await payments.stripe.refunds.list({ payment_intent: paid.id });
    return data.map(({ status }) => status);
  };

  await endUnknownIntent(payments.stripe, paid);
  await waitFor('the refund to fail', async () => (await statuses()).includes('failed'));
  await endUnknownIntent(payments.stripe, paid);

  expect(await statuses()).toEqual(['succeeded', 'failed']);
});

it.each([
  ['open', 14, true],
  ['open', 16, false],
  ['paid', 14, false],
])(
  'reports whether an intent that is %s and %d minutes old may be a checkout in progress: %s',
  async (name, age, is) => {
    const intent = await create({ paymentId: name }, name === 'paid');

    expect(mayBeCheckout(intent, (intent.created + age * 60) * 1_000)).toBe(is);
  },
);

describe('npm run unknown-charges -- refund', () => {
  const run = (): Promise<{ code: number; stdout: string; stderr: string }> => {
    const file = path.join(import.meta.dirname, 'unknown-charges-command.ts');
    const args = [file, 'refund', '--since', since.toISOString()];
    const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = payments.env;
    const env = { DATABASE_URL: payments.databaseUrl, STRIPE_SECRET_KEY, STRIPE_API_BASE };
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  };

  it('refunds all charges except one whose refund Stripe refuses, reports that charge, and keeps a recent unpaid intent', async () => {
    const open = await create({ paymentId: 'young' }, false);
    const paid = await create({ paymentId: 'given' });
    const stuck = await create({ paymentId: 'stuck' });
    // Makes the first refund, that of `stuck`, fail in all three tries: Stripe lists the newest intent first.
    await payments.fault({ point: 'refund', kind: 'error-500-before-effect', count: 3 });

    const { code, stdout, stderr } = await run();

    expect(code).toBe(1);
    expect(stderr).toContain(stuck.id);
    expect(stderr).toContain('StripeAPIError');
    expect(stdout).toContain(`${open.id}  4200 usd cents  requires_payment_method`);
    expect(stdout).toContain('left alone');
    expect((await payments.stripe.paymentIntents.retrieve(open.id)).status).toBe(open.status);
    const left = await unknownIds();
    expect([paid, stuck, open].map(({ id }) => left.includes(id))).toEqual([false, true, true]);
  });
});
