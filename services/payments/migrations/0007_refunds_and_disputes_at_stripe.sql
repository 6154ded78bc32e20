-- Money that went back without us: refunded by hand in Stripe's dashboard, or by another program.
CREATE TABLE outside_refunds (
  refund_id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outside_refunds_of_payment ON outside_refunds (payment_id);

-- A cardholder who asks the bank for the money back. While it is open, and once it is lost, the bank has the money.
CREATE TABLE disputes (
  dispute_id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL CHECK (state IN ('inquiry', 'open', 'won', 'lost')),
  reason text NOT NULL,
  -- When Stripe was asked, by this database's clock: of two answers, the one to the later question counts.
  asked_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX disputes_of_payment ON disputes (payment_id);

-- The sums of the two, kept on the payment, whose lock every change takes.
ALTER TABLE payments
  ADD COLUMN outside_cents integer NOT NULL DEFAULT 0 CHECK (outside_cents >= 0),
  ADD COLUMN held_cents integer NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  ADD COLUMN lost_cents integer NOT NULL DEFAULT 0 CHECK (lost_cents >= 0),
  -- Of its disputes, the one that matters most.
  ADD COLUMN dispute text CHECK (dispute IN ('inquiry', 'open', 'won', 'lost')),
  -- Whoever gave it back: never more than was charged.
  ADD CONSTRAINT payments_refunds_fit CHECK (refunded_cents + outside_cents <= amount_cents);

-- `voided`: its money went back another way before it was sent.
ALTER TABLE refunds
  DROP CONSTRAINT refunds_status_check,
  ADD CONSTRAINT refunds_status_check CHECK (status IN ('pending', 'succeeded', 'failed', 'voided')),
  DROP CONSTRAINT refunds_reason_check,
  ADD CONSTRAINT refunds_reason_check
    CHECK (reason IN ('slot-lost', 'unassigned', 'cancelled', 'admin'));

-- Up to when Stripe's list of events was read for those whose webhook never came. One row.
CREATE TABLE stripe_catch_up (
  caught_up_to timestamptz NOT NULL,
  next_at timestamptz NOT NULL
);
INSERT INTO stripe_catch_up VALUES (now() - interval '3 days', now() + interval '5 minutes');
