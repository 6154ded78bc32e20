import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { PaymentsDeps } from '../app.ts';

export const getPaymentConfig = ({ config }: PaymentsDeps) =>
  handle(routes.paymentConfig, () => ({
    publishableKey: config.STRIPE_PUBLISHABLE_KEY,
    scriptUrl: config.STRIPE_API_BASE ? new URL('/v3/', config.STRIPE_API_BASE).href : null,
  }));
