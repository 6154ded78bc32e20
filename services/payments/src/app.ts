import type { BoundRoute } from '@lendtools/service-kit';
import { confirmPayment } from './confirm-payment/confirm-payment.ts';
import { createPaymentIntent } from './create-payment-intent/create-payment-intent.ts';
import type { Deps } from './deps.ts';
import { getPaymentConfig } from './get-payment-config/get-payment-config.ts';
import { listDisputes, listFraudWarnings } from './list-disputes/list-disputes.ts';
import { listSucceededPayments } from './list-succeeded-payments/list-succeeded-payments.ts';
import { listUserPayments } from './list-user-payments/list-user-payments.ts';
import { receiveWebhook } from './receive-webhook/receive-webhook.ts';

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
