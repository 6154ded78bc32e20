import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

export const getPaymentConfig = ({ config }: Deps) =>
  handle(routes.paymentConfig, () => ({
    publishableKey: config.STRIPE_PUBLISHABLE_KEY,
    scriptUrl: config.STRIPE_API_BASE ? new URL('/v3/', config.STRIPE_API_BASE).href : null,
  }));
