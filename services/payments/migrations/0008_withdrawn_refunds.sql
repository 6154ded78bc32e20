-- Cents that were withdrawn from a promised refund, because they were returned another way. They are promised again if
-- they become available again.
ALTER TABLE refunds ADD COLUMN withdrawn_cents integer NOT NULL DEFAULT 0 CHECK (withdrawn_cents >= 0);
