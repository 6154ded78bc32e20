-- Of what a refund was to give, what was taken back because the money had gone another way: it is promised again once that
-- money comes back after all.
ALTER TABLE refunds ADD COLUMN withdrawn_cents integer NOT NULL DEFAULT 0 CHECK (withdrawn_cents >= 0);
