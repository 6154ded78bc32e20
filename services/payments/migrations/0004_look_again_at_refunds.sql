-- Succeeded refunds are checked again too, because a bank may return the money weeks after Stripe called the refund succeeded.
DROP INDEX refunds_due;
CREATE INDEX refunds_due ON refunds (next_try_at) WHERE next_try_at < 'infinity';
-- When the renter was notified: once, even if the refund fails after all and is retried.
ALTER TABLE refunds ADD COLUMN told_at timestamptz;
UPDATE refunds SET told_at = finished_at WHERE status = 'succeeded';
