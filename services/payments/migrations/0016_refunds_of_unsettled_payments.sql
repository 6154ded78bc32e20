ALTER TABLE refunds
  DROP CONSTRAINT refunds_reason_check,
  ADD CONSTRAINT refunds_reason_check
    CHECK (reason IN ('slot-lost', 'unassigned', 'unsettled', 'cancelled', 'changed', 'admin')) NOT VALID;
