import type { ServiceDeps } from '@lendtools/event-bus';
import type { Pool, Transaction, Upstreams } from '@lendtools/service-kit';
import type { Config } from './config.ts';

export interface Deps extends ServiceDeps {
  pool: Pool;
  config: Config;
  payments: Upstreams;
}

/** What a query runs on: the pool, or a transaction. */
export type Db = Pool | Transaction;
