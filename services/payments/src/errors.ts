import type { PriceChanged } from '@lendtools/contracts';
import { AppError, tooManyRequests } from '@lendtools/service-kit';

export const priceChanged = (amountCents: number) =>
  new AppError(
    'PRICE_CHANGED',
    `The price is $${(amountCents / 100).toFixed(2)} now. Please check your cart and pay again.`,
    { path: 'amount', details: { amount: amountCents } satisfies PriceChanged },
  );

export const holdExpired = () =>
  new AppError('HOLD_EXPIRED', 'Your reservation has ended. Please choose your dates again.', {
    path: 'holdId',
  });

export const tooManyPayments = () =>
  new AppError(
    'TOO_MANY_PAYMENTS',
    'Your last payment is still being processed. Please wait a moment and try again.',
  );

export const tooManyDeclines = () =>
  tooManyRequests(
    86_400,
    'Your cards were declined many times today, and you have not been charged.',
  );

export const paymentNotFound = () => new AppError('PAYMENT_NOT_FOUND', 'There is no such payment.');

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

export const webhookSignatureInvalid = () =>
  new AppError('WEBHOOK_SIGNATURE_INVALID', 'This is not a message from Stripe.');

/** Signed, and yet of a shape that nobody foresaw. */
export const webhookUnreadable = () =>
  new AppError('REQUEST_UNREADABLE', 'This event could not be read.');
