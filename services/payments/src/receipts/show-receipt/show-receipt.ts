import { internalRoutes, routes } from '@lendtools/contracts';
import { type Call, handle, recordAct, scaled, sendFile, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { paymentNotFound } from '../../domain/errors.ts';
import { findPayment } from '../../store/payment-repository.ts';
import { readReceipt } from '../read-receipt.ts';
import { receiptPdf } from '../receipt-pdf.ts';

/** Files are limited, because each is rendered. */
const filesAnHour = (factor: number) => ({
  kind: 'receipt-files',
  limit: scaled(120, factor),
  windowSeconds: 3_600,
  rejection: 'You have downloaded many receipts within an hour.',
});

export const showReceipt = (deps: Deps) =>
  handle(routes.receipt, async ({ params, allow }) => {
    const payment = await findPaymentOf(deps, params);
    const answer = allow([payment?.userId], paymentNotFound);
    if (!payment) throw paymentNotFound();
    return answer({ receipt: (await readReceipt(deps, payment)).receipt });
  });

export const downloadReceipt = (deps: Deps) =>
  handle(routes.receiptFile, async ({ params, user, allow, response }) => {
    const payment = await findPaymentOf(deps, params);
    const answer = allow([payment?.userId], paymentNotFound);
    if (!payment) throw paymentNotFound();
    await recordAct();
    await spend(deps.pool, user.userId, filesAnHour(deps.config.RATE_LIMIT_FACTOR));
    const { receipt } = await readReceipt(deps, payment);
    await sendPdf(deps, response, { receipt, number: params.number });
    return answer(undefined);
  });

/** The notifications service attaches the file to its emails. */
export const showEmailedReceipt = (deps: Deps) =>
  handle(internalRoutes.emailedReceipt, async ({ params, query, response }) => {
    const payment = await findPayment(deps.pool, params.paymentId);
    if (!payment) throw paymentNotFound();
    const { receipt, numberOf } = await readReceipt(deps, payment);
    const number = query.refund ? numberOf.get(query.refund) : receipt.number;
    await sendPdf(deps, response, { receipt, number: number ?? '' });
    return undefined;
  });

/** Finds a payment only below its renter's address, even for an admin. */
const findPaymentOf = async (
  { pool }: Deps,
  { paymentId, userId }: { paymentId: string; userId: string },
) => {
  const payment = await findPayment(pool, paymentId);
  return payment?.userId === userId ? payment : undefined;
};

/** @throws AppError PAYMENT_NOT_FOUND if the payment has no such receipt or credit note */
const sendPdf = async (
  { config }: Deps,
  response: Call<typeof routes.receiptFile>['response'],
  document: Omit<Parameters<typeof receiptPdf>[0], 'site'>,
): Promise<void> => {
  const { number, receipt } = document;
  const isKnown = [receipt, ...receipt.creditNotes].some((each) => each.number === number);
  if (!isKnown) throw paymentNotFound();
  const body = await receiptPdf({ ...document, site: config.PUBLIC_URL });
  const name = `${number.startsWith('R') ? 'receipt' : 'credit-note'}-${number}.pdf`;
  sendFile(response, { name, type: 'application/pdf', body });
};
