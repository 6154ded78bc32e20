import type { Pool, Upstreams } from '@lendtools/service-kit';
import type { ServiceDeps } from '@lendtools/service-runtime';
import type Stripe from 'stripe';
import type { Config } from './config.ts';

export interface Deps extends ServiceDeps {
  config: Config;
  pool: Pool;
  stripe: Stripe;
  bookings: Upstreams;
}
