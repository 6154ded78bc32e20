import type { Pool, Upstreams } from '@lendtools/service-kit';
import type { ServiceDeps } from '@lendtools/service-runtime';
import type { Config } from './config.ts';

export interface Deps extends ServiceDeps {
  pool: Pool;
  config: Config;
  payments: Upstreams;
  accounts: Upstreams;
}
