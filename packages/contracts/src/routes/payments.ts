import { fields, id } from '../api/common.ts';
import * as payments from '../api/payments.ts';
import * as receipts from '../api/receipts.ts';
import * as at from '../endpoints.ts';
import { routeOf } from '../route.ts';
import { byUser } from './common.ts';

const route = routeOf('payments');

export const paymentRoutes = {
  createPaymentIntent: route(at.createPaymentIntent, {
    who: 'user',
    origin: 'documented',
    summary: 'Start paying a hold',
    body: payments.createPaymentIntentBody,
    idempotent: true,
    status: 201,
    reply: payments.createPaymentIntentReply,
    errors: [
      'FORBIDDEN',
      'PRICE_CHANGED',
      'TOO_MANY_PAYMENTS',
      'PAYMENT_DECLINED',
      'HOLD_NOT_FOUND',
      'HOLD_PAID',
      'HOLD_EXPIRED',
      'PROVIDER_UNAVAILABLE',
    ],
  }),
  confirmPayment: route(at.confirmPayment, {
    who: 'owner or admin',
    origin: 'documented',
    summary: "Refresh a payment's status from Stripe",
    params: fields({ paymentId: id }),
    body: payments.confirmPaymentBody,
    status: 200,
    reply: payments.confirmPaymentReply,
    errors: [
      'PAYMENT_NOT_FOUND',
      'PAYMENT_INTENT_MISMATCH',
      'PAYMENT_NOT_SUCCEEDED',
      'PAYMENT_DECLINED',
      'PROVIDER_UNAVAILABLE',
    ],
  }),
  paymentWebhook: route(at.paymentWebhook, {
    who: 'anyone',
    origin: 'documented',
    summary: 'Receive a signed event from Stripe',
    raw: true,
    status: 200,
    reply: payments.webhookReply,
    errors: ['WEBHOOK_SIGNATURE_INVALID', 'PROVIDER_UNAVAILABLE'],
  }),
  connectWebhook: route(at.connectWebhook, {
    who: 'anyone',
    origin: 'ours',
    summary: "Receive a signed event from Stripe about an owner's account",
    raw: true,
    status: 200,
    reply: payments.webhookReply,
    errors: ['WEBHOOK_SIGNATURE_INVALID', 'PROVIDER_UNAVAILABLE'],
  }),
  paymentConfig: route(at.paymentConfig, {
    who: 'anyone',
    origin: 'ours',
    summary: 'Settings for the card form',
    status: 200,
    reply: payments.paymentConfigReply,
  }),
  receipt: route(at.receipt, {
    who: 'owner or admin',
    origin: 'ours',
    summary: 'The receipt of a payment, with the credit notes of its refunds',
    params: receipts.receiptParams,
    status: 200,
    reply: receipts.receiptReply,
    errors: ['PAYMENT_NOT_FOUND'],
  }),
  receiptFile: route(at.receiptFile, {
    who: 'owner or admin',
    origin: 'ours',
    summary: 'A receipt or credit note as a PDF file',
    params: receipts.receiptFileParams,
    status: 200,
    media: 'application/pdf',
    reply: receipts.pdf,
    errors: ['PAYMENT_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  disputes: route(at.disputes, {
    who: 'admin',
    origin: 'ours',
    summary: 'Disputed payments, with the deadline for evidence',
    query: payments.disputesQuery,
    status: 200,
    reply: payments.disputesReply,
  }),
  fraudWarnings: route(at.fraudWarnings, {
    who: 'admin',
    origin: 'ours',
    summary: 'Payments that a card issuer suspects of fraud',
    query: payments.disputesQuery,
    status: 200,
    reply: payments.fraudWarningsReply,
  }),
  payoutAccount: route(at.payoutAccount, {
    who: 'self',
    origin: 'ours',
    summary: 'Whether the caller can be paid, and what Stripe still needs',
    params: byUser,
    status: 200,
    reply: payments.payoutAccountReply,
  }),
  createPayoutLink: route(at.createPayoutLink, {
    who: 'self',
    origin: 'ours',
    summary:
      "Get a link to Stripe, which opens once: to the onboarding or, if it is done, to the owner's dashboard",
    params: byUser,
    status: 201,
    reply: payments.payoutLinkReply,
    errors: ['PROVIDER_UNAVAILABLE', 'TOO_MANY_REQUESTS'],
  }),
  holdPayouts: route(at.holdPayouts, {
    who: 'admin',
    origin: 'ours',
    summary: "Hold an owner's payouts, or release them",
    params: byUser,
    body: payments.holdPayoutsBody,
    status: 200,
    reply: payments.payoutAccountReply,
  }),
} as const;
