-- Refunds made without us: by hand in Stripe's dashboard, or by another program.
CREATE TABLE outside_refunds (
  refund_id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outside_refunds_of_payment ON outside_refunds (payment_id);

-- Disputes by cardholders. The bank has the money while a dispute is open, and after it is lost.
CREATE TABLE disputes (
  dispute_id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL CHECK (state IN ('inquiry', 'open', 'won', 'lost')),
  reason text NOT NULL,
  -- When we requested it from Stripe, by this database's clock: the reply to the later request wins.
  asked_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX disputes_of_payment ON disputes (payment_id);

-- Sums of both tables. Every change holds the payment's lock, so they stay consistent.
ALTER TABLE payments
  ADD COLUMN outside_cents integer NOT NULL DEFAULT 0 CHECK (outside_cents >= 0),
  ADD COLUMN held_cents integer NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  ADD COLUMN lost_cents integer NOT NULL DEFAULT 0 CHECK (lost_cents >= 0),
  -- The most important state among its disputes.
  ADD COLUMN dispute text CHECK (dispute IN ('inquiry', 'open', 'won', 'lost')),
  -- Our refunds and outside refunds together never exceed the charge.
  ADD CONSTRAINT payments_refunds_fit CHECK (refunded_cents + outside_cents <= amount_cents);

-- `voided`: its money was returned another way before it was sent.
ALTER TABLE refunds
  DROP CONSTRAINT refunds_status_check,
  ADD CONSTRAINT refunds_status_check CHECK (status IN ('pending', 'succeeded', 'failed', 'voided')),
  DROP CONSTRAINT refunds_reason_check,
  ADD CONSTRAINT refunds_reason_check
    CHECK (reason IN ('slot-lost', 'unassigned', 'cancelled', 'admin'));

-- Up to when Stripe's list of events was read, to find events whose webhook got lost. One row.
CREATE TABLE stripe_catch_up (
  caught_up_to timestamptz NOT NULL,
  next_at timestamptz NOT NULL
);
INSERT INTO stripe_catch_up VALUES (now() - interval '3 days', now() + interval '5 minutes');
