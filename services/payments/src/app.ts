import type { BoundRoute } from '@lendtools/service-kit';
import { confirmPayment } from './charges/confirm-payment/confirm-payment.ts';
import { createPaymentIntent } from './charges/create-payment-intent/create-payment-intent.ts';
import { getPaymentConfig } from './charges/get-payment-config/get-payment-config.ts';
import { listSucceededPayments } from './charges/list-succeeded-payments/list-succeeded-payments.ts';
import { listUserPayments } from './charges/list-user-payments/list-user-payments.ts';
import type { Deps } from './deps.ts';
import { listDisputes, listFraudWarnings } from './disputes/list-disputes/list-disputes.ts';
import { receiveWebhook } from './stripe-events/receive-webhook/receive-webhook.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  createPaymentIntent(deps),
  confirmPayment(deps),
  receiveWebhook(deps),
  getPaymentConfig(deps),
  listDisputes(deps),
  listFraudWarnings(deps),
  listUserPayments(deps),
  listSucceededPayments(deps),
];
