import { fileURLToPath } from 'node:url';

export { type AuditLog, actAsAdmin, recordAct } from './audit.ts';
export * from './auth.ts';
export * from './batch-calls.ts';
export * from './call.ts';
export * from './config.ts';
export * from './connect-patiently.ts';
export * from './context.ts';
export * from './database.ts';
export * from './database-errors.ts';
export * from './errors.ts';
export * from './failed-rows.ts';
export * from './fault-points.ts';
export * from './for-each-row.ts';
export * from './handle.ts';
export * from './http-app.ts';
export * from './idempotency.ts';
export * from './if-match.ts';
export * from './images.ts';
export * from './job-log.ts';
export * from './jobs.ts';
export * from './lifecycle.ts';
export * from './logging.ts';
export * from './metrics.ts';
export * from './migrate.ts';
export * from './minute-counts.ts';
export * from './network-of.ts';
export * from './page.ts';
export * from './picture-files.ts';
export * from './problem.ts';
export * from './purge.ts';
export * from './purge-pictures.ts';
export * from './quota.ts';
export * from './reconcile.ts';
export * from './revocations.ts';
export * from './s3-bucket.ts';
export * from './schedule.ts';
export * from './send-file.ts';
export { JsonText } from './send-json.ts';
export * from './share-reads.ts';
export * from './tokens.ts';
export {
  currentTraceparent,
  inSpan,
  startTracing,
  stopTracing,
  traceRequests,
} from './tracing.ts';
export * from './turns.ts';
export * from './upstreams.ts';
export * from './wait-until.ts';
export { migrateWorker, startWorker, type Tasks } from './worker.ts';

/** Migrations of the tables that every service's database has. */
export const kitMigrations = fileURLToPath(new URL('../migrations/', import.meta.url));
