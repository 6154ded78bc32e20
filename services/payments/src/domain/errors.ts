import type { PriceChanged } from '@lendtools/contracts';
import { AppError, tooManyRequests } from '@lendtools/service-kit';

export const priceChanged = (amountCents: number) =>
  new AppError(
    'PRICE_CHANGED',
    `The price is $${(amountCents / 100).toFixed(2)} now. Please check your cart and pay again.`,
    { path: 'amount', details: { amount: amountCents } satisfies PriceChanged },
  );

export const holdExpired = () =>
  new AppError('HOLD_EXPIRED', 'Your hold expired. Please go back to your cart and try again.', {
    path: 'holdId',
  });

export const tooManyPayments = () =>
  new AppError(
    'TOO_MANY_PAYMENTS',
    'Your last payment is still being processed. Please wait a moment and try again.',
  );

export const tooManyDeclines = (retryAfterSeconds: number) =>
  tooManyRequests(
    retryAfterSeconds,
    'Your cards were declined too often in the last 24 hours. You have not been charged. Please contact your bank.',
  );

export const tooManyDeclinesOfNetwork = (retryAfterSeconds: number) =>
  tooManyRequests(
    retryAfterSeconds,
    'Too many cards were declined from your network in the last 24 hours. You have not been charged. You can pay from another network.',
  );

export const paymentDeclined = (declines: number) =>
  new AppError(
    'PAYMENT_DECLINED',
    `Your card was declined ${declines} times, so this payment was ended. You have not been charged, and the dates are free again. Please contact your bank before you try again.`,
  );

export const paymentNotFound = () => new AppError('PAYMENT_NOT_FOUND', 'There is no such payment.');

export const cardNotFound = () =>
  new AppError('CARD_NOT_FOUND', 'This card is no longer saved. Please choose another one.', {
    path: 'cardId',
  });

export const savedCardsUnusable = () =>
  new AppError(
    'CARD_NOT_FOUND',
    'This payment can no longer use your saved cards. Please enter a new card.',
    { path: 'cardId' },
  );

export const intentMismatch = () =>
  new AppError('PAYMENT_INTENT_MISMATCH', 'This payment belongs to another card payment.', {
    path: 'paymentIntentId',
  });

export const paymentNotSucceeded = (why: string) => new AppError('PAYMENT_NOT_SUCCEEDED', why);

export const providerUnavailable = () =>
  new AppError(
    'PROVIDER_UNAVAILABLE',
    'The payment provider isn’t responding. You haven’t been charged twice. Please try again.',
    { headers: { 'Retry-After': '5' } },
  );

export const payoutsUnavailable = () =>
  new AppError(
    'PROVIDER_UNAVAILABLE',
    'Stripe isn’t responding. Nothing is lost. Please try again in a moment.',
    { headers: { 'Retry-After': '5' } },
  );

export const webhookSignatureInvalid = () =>
  new AppError('WEBHOOK_SIGNATURE_INVALID', 'This is not a message from Stripe.');

export const webhookUnreadable = () =>
  new AppError('REQUEST_UNREADABLE', 'This event could not be read.');

export const disputeNotFound = () => new AppError('DISPUTE_NOT_FOUND', 'There is no such dispute.');

export const notInquiry = () =>
  new AppError('DISPUTE_NOT_INQUIRY', 'Only an open inquiry can be waived.');

export const transferNotFound = () =>
  new AppError('TRANSFER_NOT_FOUND', 'Nothing of this booking waits to be transferred.');

export const debtChanged = (cents: number) =>
  new AppError(
    'DEBT_CHANGED',
    `The debt is $${(cents / 100).toFixed(2)} now. Please check it and try again.`,
    { path: 'cents' },
  );

export const stripeObjectNotFound = () =>
  new AppError('STRIPE_OBJECT_NOT_FOUND', 'LendTools has nothing with this Stripe id.');
