-- What Stripe says of a dispute, and until when it accepts evidence: `infinity` where there is none to submit. Replicas of the
-- previous version leave both as they are.
ALTER TABLE disputes
  ADD COLUMN status text NOT NULL DEFAULT '',
  ADD COLUMN answer_by timestamptz NOT NULL DEFAULT 'infinity',
  -- When admins were reminded of this deadline.
  ADD COLUMN reminded_at timestamptz;
CREATE INDEX disputes_open ON disputes (answer_by, dispute_id) WHERE state IN ('inquiry', 'open');
CREATE INDEX disputes_over ON disputes (created_at, dispute_id) WHERE state IN ('won', 'lost');

-- The card's issuer suspects fraud. Actionable until the payment is disputed or refunded in full.
CREATE TABLE fraud_warnings (
  warning_id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  fraud_type text NOT NULL,
  is_actionable boolean NOT NULL,
  -- When Stripe was asked, as of a dispute.
  asked_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fraud_warnings_open ON fraud_warnings (created_at, warning_id) WHERE is_actionable;
CREATE INDEX fraud_warnings_over ON fraud_warnings (created_at, warning_id) WHERE NOT is_actionable;

-- Reads the disputes and warnings of the last 30 days, which is how long Stripe keeps events, once more: what it says of
-- those that are known is added, and published only if it is news.
DELETE FROM stripe_events WHERE type LIKE 'charge.dispute.%' OR type LIKE 'radar.early_fraud_warning.%';
UPDATE reconciliations SET next_at = now(), cursor = NULL, reached_at = least(reached_at, now() - interval '30 days')
WHERE name = 'stripe-events';
