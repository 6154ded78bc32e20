import type { ServiceDeps } from '@lendtools/event-bus';
import type { BoundRoute, Pool } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { BookingsClient } from './bookings-client.ts';
import type { Config } from './config.ts';
import { confirmPayment } from './confirm-payment/confirm-payment.ts';
import { createPaymentIntent } from './create-payment-intent/create-payment-intent.ts';
import { getPaymentConfig } from './get-payment-config/get-payment-config.ts';
import { listUserPayments } from './list-user-payments/list-user-payments.ts';
import { receiveWebhook } from './receive-webhook/receive-webhook.ts';

export interface PaymentsDeps extends ServiceDeps {
  config: Config;
  pool: Pool;
  stripe: Stripe;
  bookings: BookingsClient;
}

/** Everything that payments answers. */
export const routes = (deps: PaymentsDeps): BoundRoute[] => [
  createPaymentIntent(deps),
  confirmPayment(deps),
  receiveWebhook(deps),
  getPaymentConfig(deps),
  listUserPayments(deps),
];
