-- Stripe's status of a dispute, and its deadline for evidence: `infinity` if none can be submitted. Replicas of the previous version
-- write neither.
ALTER TABLE disputes
  ADD COLUMN status text NOT NULL DEFAULT '',
  ADD COLUMN answer_by timestamptz NOT NULL DEFAULT 'infinity',
  -- When admins were reminded of the deadline.
  ADD COLUMN reminded_at timestamptz;
CREATE INDEX disputes_open ON disputes (answer_by, dispute_id) WHERE state IN ('inquiry', 'open');
CREATE INDEX disputes_over ON disputes (created_at, dispute_id) WHERE state IN ('won', 'lost');

-- Early fraud warnings by card issuers. Actionable until the payment is disputed or refunded in full.
CREATE TABLE fraud_warnings (
  warning_id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  fraud_type text NOT NULL,
  is_actionable boolean NOT NULL,
  -- When we requested it from Stripe, as in `disputes`.
  asked_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fraud_warnings_open ON fraud_warnings (created_at, warning_id) WHERE is_actionable;
CREATE INDEX fraud_warnings_over ON fraud_warnings (created_at, warning_id) WHERE NOT is_actionable;

-- Makes the job read the disputes and warnings of the last 30 days again, which is how long Stripe keeps events. That fills the new
-- columns of known disputes; only changes are published.
DELETE FROM stripe_events WHERE type LIKE 'charge.dispute.%' OR type LIKE 'radar.early_fraud_warning.%';
UPDATE reconciliations SET next_at = now(), cursor = NULL, reached_at = least(reached_at, now() - interval '30 days')
WHERE name = 'stripe-events';
