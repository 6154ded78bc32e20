-- A refund that failed is tried again, after days that grow with its failures.
ALTER TABLE refunds ADD COLUMN failures integer NOT NULL DEFAULT 0;
DROP INDEX refunds_pending;
CREATE INDEX refunds_due ON refunds (next_try_at) WHERE status <> 'succeeded';
