import { type CreditNote, internalRoutes, type Receipt } from '@lendtools/contracts';
import { call } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { paymentNotFound } from '../domain/errors.ts';
import { includedTaxCents, newReceiptNumber } from '../domain/receipt.ts';
import type { StoredPayment } from '../store/payment-repository.ts';
import {
  findIssued,
  findRefundsOfReceipt,
  type IssuedReceipt,
  insertReceipt,
  type RefundOfReceipt,
} from '../store/receipt-repository.ts';
import { withoutSecrets } from '../stripe/stripe-api.ts';

type ReceiptDeps = Pick<Deps, 'bookings' | 'config' | 'logger' | 'pool' | 'stripe'>;

export interface FoundReceipt {
  receipt: Receipt;
  /** The numbers of the credit notes by Stripe's ids of their refunds. */
  numberOf: ReadonlyMap<string, string>;
}

/** @throws AppError PAYMENT_NOT_FOUND if the card was not charged; 503 while bookings is unavailable or has not recorded the payment */
export const readReceipt = async (
  deps: ReceiptDeps,
  payment: StoredPayment,
): Promise<FoundReceipt> => {
  const { id: paymentId, amountCents: totalCents, state } = payment;
  if (!('succeededAt' in state)) throw paymentNotFound();
  const [{ renterName, lines }, refunds] = await Promise.all([
    call(deps.bookings, internalRoutes.receiptLines, {
      params: { paymentId },
      token: deps.config.INTERNAL_SECRET[0],
      timeoutMs: 5_000,
    }),
    findRefundsOfReceipt(deps.pool, paymentId),
  ]);
  const issued = await issue(deps, { payment, refunds, paidAt: state.succeededAt });
  const { number, datedAt, cardBrand, cardLast4, taxName, taxPercent } = issuedFor(issued, '');
  const taxOf = (cents: number): number =>
    taxPercent === null ? 0 : includedTaxCents(cents, taxPercent);
  const codes = new Map(lines.map((line) => [line.bookingId, line.bookingCode]));
  const noted = refunds
    .flatMap((refund) => {
      const note = issued.get(refund.refund);
      return note ? [{ refund, note }] : [];
    })
    .sort((a, b) => +a.note.datedAt - +b.note.datedAt || (a.note.number < b.note.number ? -1 : 1));
  const creditNotes = noted.map(
    ({ refund, note }): CreditNote => ({
      number: note.number,
      date: note.datedAt.toISOString(),
      amountCents: refund.amountCents,
      taxCents: taxOf(refund.amountCents),
      reason: refund.reason,
      bookingCode: codes.get(refund.bookingId ?? '') ?? null,
      toolNames: refund.toolNames,
      isReturned: refund.madeAt === null,
    }),
  );
  const receipt: Receipt = {
    number,
    paymentId,
    date: datedAt.toISOString(),
    renterName,
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
    lines,
    restCents: totalCents - lines.reduce((sum, line) => sum + line.amountCents, 0),
    totalCents,
    tax: taxName ? { name: taxName, percent: taxPercent ?? 0, cents: taxOf(totalCents) } : null,
    creditNotes,
    refundedCents: creditNotes.reduce(
      (sum, note) => sum + (note.isReturned ? 0 : note.amountCents),
      0,
    ),
  };
  const numberOf = new Map(
    noted.flatMap(({ refund, note }) => (refund.refundId ? [[refund.refundId, note.number]] : [])),
  );
  return { receipt, numberOf };
};

const maxTries = 5;

/** Assigns the numbers that are missing. Concurrent requests agree on one number: the first insert wins. */
const issue = async (
  deps: ReceiptDeps,
  {
    payment,
    refunds,
    paidAt,
  }: { payment: StoredPayment; refunds: RefundOfReceipt[]; paidAt: Date },
): Promise<Map<string, IssuedReceipt>> => {
  const wanted = refunds.flatMap(({ refund, madeAt }) => (madeAt ? [{ refund, at: madeAt }] : []));
  for (let tries = 0; tries < maxTries; tries++) {
    const issued = await findIssued(deps.pool, payment.id);
    const missing = wanted.filter(({ refund }) => !issued.has(refund));
    if (issued.has('') && missing.length === 0) return issued;
    if (!issued.has(''))
      await insertReceipt(deps.pool, payment.id, await newReceipt(deps, payment, paidAt));
    for (const { refund, at } of missing)
      await insertReceipt(deps.pool, payment.id, newCreditNote(refund, at));
  }
  throw new Error(`No free receipt number in ${maxTries} tries`);
};

const issuedFor = (issued: Map<string, IssuedReceipt>, refund: string): IssuedReceipt => {
  const found = issued.get(refund);
  if (!found) throw new Error('The receipt was not issued');
  return found;
};

const newReceipt = async (
  deps: ReceiptDeps,
  { intentId }: StoredPayment,
  datedAt: Date,
): Promise<IssuedReceipt> => {
  const { RECEIPT_TAX_NAME: taxName, RECEIPT_TAX_PERCENT: taxPercent } = deps.config;
  const card = intentId ? await readCard(deps, intentId) : undefined;
  return {
    number: newReceiptNumber('R'),
    refund: '',
    datedAt,
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
    taxName: taxName ?? null,
    taxPercent: taxPercent ?? null,
  };
};

const newCreditNote = (refund: string, datedAt: Date): IssuedReceipt => ({
  number: newReceiptNumber('C'),
  refund,
  datedAt,
  cardBrand: null,
  cardLast4: null,
  taxName: null,
  taxPercent: null,
});

/** A receipt without a card is better than none while Stripe is unavailable. */
const readCard = async ({ stripe, logger }: ReceiptDeps, intentId: string) => {
  try {
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(
      intentId,
      { expand: ['latest_charge'] },
      { timeout: 3_000, maxNetworkRetries: 0 },
    );
    return typeof charge === 'string' ? undefined : charge?.payment_method_details?.card;
  } catch (error) {
    logger.warn({ err: withoutSecrets(error) }, 'a receipt is issued without its card');
    return undefined;
  }
};
