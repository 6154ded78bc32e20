-- A bank may send money back weeks after Stripe called the refund succeeded, so those are looked at again, too.
DROP INDEX refunds_due;
CREATE INDEX refunds_due ON refunds (next_try_at) WHERE next_try_at < 'infinity';
-- The renter is told once, though a refund that failed after all is given again.
ALTER TABLE refunds ADD COLUMN told_at timestamptz;
UPDATE refunds SET told_at = finished_at WHERE status = 'succeeded';
