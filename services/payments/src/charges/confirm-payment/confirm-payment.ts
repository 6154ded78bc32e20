import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { hasEndedByDeclines } from '../../domain/declines.ts';
import {
  intentMismatch,
  paymentDeclined,
  paymentNotFound,
  paymentNotSucceeded,
} from '../../domain/errors.ts';
import { findPayment, type StoredPayment } from '../../store/payment-repository.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { settlePayment } from '../settle-payment.ts';

export const confirmPayment = (deps: Deps) =>
  handle(routes.confirmPayment, async ({ params, body, allow }) => {
    const payment = await findPayment(deps.pool, params.paymentId);
    const answer = allow([payment?.userId], paymentNotFound);
    if (!payment) throw paymentNotFound();
    if (payment.intentId !== body.paymentIntentId) throw intentMismatch();

    const settled = hasSucceeded(payment)
      ? payment
      : await settlePayment(deps, payment).catch((error) => rethrowOutage(error, deps.logger));

    const { state } = settled;
    if (state.status === 'authorized') return answer(authorized(settled));
    if (hasEndedByDeclines(settled)) throw paymentDeclined(settled.declines);
    if (!('refundedCents' in state)) throw paymentNotSucceeded(whyNot(settled));
    return answer({
      message: 'Your payment has been received.',
      payment: {
        id: settled.id,
        status: state.status,
        amount: settled.amountCents,
        refunded: state.refundedCents,
      },
    });
  });

const authorized = ({ id, amountCents: amount }: StoredPayment) => ({
  message: 'Your card is authorized. It is charged only if the owner accepts.',
  payment: { id, status: 'authorized' as const, amount, refunded: 0 },
});

const hasSucceeded = ({ state }: StoredPayment): boolean => {
  return state.status === 'succeeded' || state.status === 'refunded';
};

const whyNot = ({ state }: StoredPayment): string => {
  if (state.status === 'failed') return state.failure;
  if (state.status === 'canceled') return 'This payment was cancelled. You have not been charged.';
  return 'The payment has not been completed yet.';
};
