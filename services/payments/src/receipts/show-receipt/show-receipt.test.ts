import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receipt } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { internalSecret } from '../../../test/fake-bookings.ts';
import {
  cancellation,
  rejection,
  startTestPayments,
  type TestPayments,
} from '../../../test/payments-service.ts';
import { receiptLine, textOf } from '../../../test/receipts.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

/** Buys a drill for $42 whose lines bookings knows. */
const buy = async (lines = [receiptLine()], card?: string): Promise<Bought> => {
  const bought = await payments.buyAndPay(card);
  payments.receiptLines.set(bought.paymentId, { renterName: 'Rita Renter', lines });
  return bought;
};

const pathOf = ({ userId, paymentId }: Bought) => `/api/user/${userId}/receipts/${paymentId}`;
const ask = (bought: Bought, token = bought.token) => payments.api.get(pathOf(bought), { token });
const receiptOf = async (bought: Bought): Promise<Receipt> => (await ask(bought)).body.receipt;

const download = (path: string, token: string) =>
  fetch(payments.url + path, { headers: { authorization: `Bearer ${token}` } });

const fileOf = async (reply: Response) => new Uint8Array(await reply.arrayBuffer());

const untilRefunded = (bought: Bought, count: number) =>
  waitFor(`${count} credit notes`, async () => {
    const receipt = await receiptOf(bought);
    return receipt.creditNotes.length === count && receipt;
  });

const grant = (bought: Bought, refundCents: number) => {
  const { paymentId, userId: renterId } = bought;
  const bookingId = randomUUID();
  return newEvent(
    'BookingRefundGranted',
    { id: bookingId, version: 2 },
    {
      bookingId,
      toolId: randomUUID(),
      toolName: 'Hammer drill',
      ownerId: randomUUID(),
      renterId,
      bookingCode: 'LT123456',
      grantId: randomUUID(),
      adminId: randomUUID(),
      reason: 'The battery was flat.',
      refunds: [{ paymentId, refundCents }],
    },
  );
};

describe('GET /api/user/:userId/receipts/:paymentId', () => {
  it('shows a payment with its lines, card and sums, under a number that never changes', async () => {
    const bought = await buy();

    const receipt = await receiptOf(bought);

    const { rows } = await payments.pool.query('SELECT succeeded_at FROM payments WHERE id = $1', [
      bought.paymentId,
    ]);
    expect(receipt).toEqual({
      number: expect.stringMatching(/^R-[\dA-Z]{4}-[\dA-Z]{4}$/),
      paymentId: bought.paymentId,
      date: rows[0].succeeded_at.toISOString(),
      renterName: 'Rita Renter',
      card: { brand: 'visa', last4: '4242' },
      lines: payments.receiptLines.get(bought.paymentId)?.lines,
      restCents: 0,
      totalCents: 4_200,
      tax: null,
      creditNotes: [],
      refundedCents: 0,
    });
    expect(await receiptOf(bought)).toEqual(receipt);
  });

  it('gives concurrent readers the same number', async () => {
    const bought = await buy();

    const receipts = await Promise.all(Array.from({ length: 8 }, () => receiptOf(bought)));

    expect(new Set(receipts.map(({ number }) => number)).size).toBe(1);
  });

  it('adds the part of the payment that paid for no booking', async () => {
    const bought = await buy([receiptLine({ amountCents: 1_200 })]);

    expect(await receiptOf(bought)).toMatchObject({ restCents: 3_000, totalCents: 4_200 });
  });

  it('lists a credit note for each refund made: of a cancellation, by an admin and in the dashboard', async () => {
    const bought = await buy();
    const cancelled = cancellation(bought, 1_000);
    payments.receiptLines.set(bought.paymentId, {
      renterName: 'Rita Renter',
      lines: [receiptLine({ bookingId: cancelled.data.bookingId })],
    });
    await payments.broker.send(cancelled);
    await untilRefunded(bought, 1);
    await payments.broker.send(grant(bought, 501));
    await untilRefunded(bought, 2);
    await payments.stripe.refunds.create({ payment_intent: bought.intentId, amount: 299 });

    const receipt = await untilRefunded(bought, 3);

    expect(receipt.creditNotes).toMatchObject([
      { reason: 'cancelled', amountCents: 1_000, bookingCode: 'LT123456', isReturned: false },
      { reason: 'admin', amountCents: 501, bookingCode: null, isReturned: false },
      { reason: 'other', amountCents: 299, bookingCode: null, isReturned: false },
    ]);
    expect(receipt.refundedCents).toBe(1_800);
    const numbers = receipt.creditNotes.map(({ number }) => number);
    for (const number of numbers) expect(number).toMatch(/^C-/);
    expect(new Set(numbers).size).toBe(3);
    expect((await receiptOf(bought)).creditNotes).toEqual(receipt.creditNotes);
  });

  it('has no credit note while a refund is pending, and one when an event of it comes twice', async () => {
    const bought = await buy(undefined, 'pm_card_pendingRefund');
    const event = cancellation(bought, 1_000);
    await payments.broker.send(event);
    await waitFor('the pending refund', async () => {
      const { rows } = await payments.pool.query(
        'SELECT FROM refunds WHERE payment_id = $1 AND refund_id IS NOT NULL',
        [bought.paymentId],
      );
      return rows.length > 0;
    });
    expect((await receiptOf(bought)).creditNotes).toEqual([]);

    await payments.broker.send(event);
    const { refundedCents } = await untilRefunded(bought, 1);

    expect(refundedCents).toBe(1_000);
  });

  it('keeps the number of a refund that the bank returned, and does not count it', async () => {
    const bought = await buy();
    await payments.broker.send(rejection(bought));
    const { creditNotes } = await untilRefunded(bought, 1);

    await payments.pool.query(
      `UPDATE refunds SET status = 'failed', finished_at = NULL WHERE payment_id = $1`,
      [bought.paymentId],
    );

    expect(await receiptOf(bought)).toMatchObject({
      creditNotes: [{ ...creditNotes[0], isReturned: true }],
      refundedCents: 0,
    });
  });

  it('is issued without a card while Stripe is unavailable', async () => {
    const bought = await buy();
    await payments.fault({ point: 'retrieve', kind: 'error-500-before-effect', count: 1 });

    expect((await receiptOf(bought)).card).toBeNull();
    await payments.clearFaults();
  });

  it('replies 503 while bookings is unavailable or has not recorded the payment', async () => {
    const bought = await payments.buyAndPay();

    expect((await ask(bought)).status).toBe(503);
  });

  it('has no receipt for a payment that was only started or authorized', async () => {
    const started = await payments.buy();
    const authorized = await payments.authorize();

    for (const bought of [started, authorized])
      expect(await ask(bought as Bought)).toMatchObject({
        status: 404,
        body: { code: 'PAYMENT_NOT_FOUND' },
      });
  });

  it('is shown to the renter and admins only, under the renter’s address', async () => {
    const bought = await buy();
    const other = await payments.signIn();
    const admin = await payments.accounts.sign({ userId: randomUUID(), role: 'Admin' });
    const asOthers = { ...bought, userId: other.userId };

    expect((await ask(bought, admin)).status).toBe(200);
    expect((await ask(bought, other.token)).status).toBe(404);
    expect((await ask(asOthers, other.token)).status).toBe(404);
    expect((await ask(asOthers, admin)).status).toBe(404);
    expect((await payments.api.get(pathOf(bought))).status).toBe(401);
  });
});

describe('GET /api/user/:userId/receipts/:paymentId/:number', () => {
  it('is a private PDF file to save, of the receipt or a credit note', async () => {
    const bought = await buy();
    await payments.broker.send(cancellation(bought, 1_000));
    const { number, creditNotes } = await untilRefunded(bought, 1);
    const noteNumber = creditNotes[0]?.number;

    const receipt = await download(`${pathOf(bought)}/${number}`, bought.token);
    const note = await download(`${pathOf(bought)}/${noteNumber}`, bought.token);

    expect(Object.fromEntries(receipt.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="receipt-${number}.pdf"`,
    });
    const text = await textOf(await fileOf(receipt));
    expect(text).toContain(`Receipt ${number}`);
    expect(text).toContain('Paid after refunds $32.00');
    expect(note.headers.get('content-disposition')).toContain(`credit-note-${noteNumber}.pdf`);
    expect(await textOf(await fileOf(note))).toContain('Total refunded $10.00');
  });

  it('is found only with a number of that payment, by the renter and admins', async () => {
    const [bought, another] = [await buy(), await buy()];
    const { number } = await receiptOf(bought);
    const other = await payments.signIn();
    const admin = await payments.accounts.sign({ userId: randomUUID(), role: 'Admin' });
    const status = async (path: string, token: string) => (await download(path, token)).status;

    expect(await status(`${pathOf(another)}/${number}`, another.token)).toBe(404);
    expect(await status(`${pathOf(bought)}/R-0000-0000`, bought.token)).toBe(404);
    expect(await status(`${pathOf(bought)}/nonsense`, bought.token)).toBe(400);
    expect(await status(`${pathOf(bought)}/${number}`, other.token)).toBe(404);
    expect(await status(`${pathOf(bought)}/${number}`, admin)).toBe(200);
  });

  it('is limited per hour', async () => {
    const bought = await buy();
    const { number } = await receiptOf(bought);
    await payments.pool.query(
      `INSERT INTO quotas (user_id, kind, used, ends_at) VALUES ($1, 'receipt-files', 1000000000, now() + interval '1 hour')`,
      [bought.userId],
    );

    const reply = await download(`${pathOf(bought)}/${number}`, bought.token);

    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('GET /internal/payments/:paymentId/receipt', () => {
  it('is the same file for another service, by payment and Stripe’s refund', async () => {
    const bought = await buy();
    await payments.broker.send(cancellation(bought, 1_000));
    const { data } = await payments.broker.expectEvent(
      'PaymentRefunded',
      (one) => one.paymentId === bought.paymentId,
    );
    const { number, creditNotes } = await untilRefunded(bought, 1);
    const internal = `/internal/payments/${bought.paymentId}/receipt`;

    const receipt = await download(internal, internalSecret);
    const note = await download(`${internal}?refund=${data.refundId}`, internalSecret);

    const own = await download(`${pathOf(bought)}/${number}`, bought.token);
    expect(await fileOf(receipt)).toEqual(await fileOf(own));
    expect(await textOf(await fileOf(note))).toContain(`Credit note ${creditNotes[0]?.number}`);
    expect((await download(`${internal}?refund=re_none`, internalSecret)).status).toBe(404);
    expect((await download(internal, bought.token)).status).toBe(401);
  });
});

describe('the tax of the operator', () => {
  it('is included in receipts and credit notes, and stays as it was issued', async () => {
    const env = { RECEIPT_TAX_NAME: 'sales tax', RECEIPT_TAX_PERCENT: '8.25' };
    const taxed = await startTestPayments({ env });
    taxed.connectWebhooks();
    try {
      const bought = await taxed.buyAndPay();
      taxed.receiptLines.set(bought.paymentId, { renterName: 'Rita', lines: [receiptLine()] });
      await taxed.broker.send(cancellation(bought, 1_000));
      const read = async (): Promise<Receipt> =>
        (await taxed.api.get(pathOf(bought), { token: bought.token })).body.receipt;
      const receipt = await waitFor('the credit note', async () => {
        const found = await read();
        return found.creditNotes.length > 0 && found;
      });

      expect(receipt.tax).toEqual({ name: 'sales tax', percent: 8.25, cents: 320 });
      expect(receipt.creditNotes).toMatchObject([{ amountCents: 1_000, taxCents: 76 }]);
    } finally {
      await taxed.stop();
    }
  });
});
