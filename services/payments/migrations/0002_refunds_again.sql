-- Failed refunds are retried, with a backoff of days that grows with the failures.
ALTER TABLE refunds ADD COLUMN failures integer NOT NULL DEFAULT 0;
DROP INDEX refunds_pending;
CREATE INDEX refunds_due ON refunds (next_try_at) WHERE status <> 'succeeded';
