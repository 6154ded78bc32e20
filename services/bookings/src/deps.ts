import type { ServiceDeps } from '@lendtools/event-bus';
import type { Pool, Upstreams } from '@lendtools/service-kit';
import type { Config } from './config.ts';

/** What the use cases of bookings work with. */
export interface Deps extends ServiceDeps {
  pool: Pool;
  config: Config;
  payments: Upstreams;
}
