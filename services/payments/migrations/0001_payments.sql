-- A payment is one Stripe PaymentIntent, for a hold or not assigned yet.
CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL,
  -- A hold is paid once: repeated and concurrent requests find the same row.
  hold_id uuid UNIQUE,
  amount_cents integer NOT NULL CHECK (amount_cents >= 50),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'failed', 'canceled', 'succeeded', 'refunded')),
  version integer NOT NULL DEFAULT 1,
  intent_id text UNIQUE,
  client_secret text,
  -- Part of the idempotency key at Stripe, which stores a 500 under its key for a day.
  intent_attempt integer NOT NULL DEFAULT 0,
  failure text,
  -- When an unpaid intent is canceled.
  expires_at timestamptz NOT NULL,
  -- When the reconciler checks it next. Claiming a row moves it on, so that replicas share the work.
  next_check_at timestamptz NOT NULL,
  succeeded_at timestamptz,
  reserved_cents integer NOT NULL DEFAULT 0,
  refunded_cents integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Never refund more than was charged, even if the code is wrong.
  CHECK (0 <= refunded_cents AND refunded_cents <= reserved_cents AND reserved_cents <= amount_cents),
  CHECK (reserved_cents = 0 OR succeeded_at IS NOT NULL)
);
CREATE INDEX payments_open ON payments (next_check_at) WHERE status IN ('pending', 'failed');
CREATE INDEX payments_of_user ON payments (user_id, id DESC) WHERE status = 'succeeded';

-- Refunds that are owed or done. The key names the reason, so that a repeated event is a no-op.
CREATE TABLE refunds (
  key text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  booking_id uuid,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL CHECK (reason IN ('slot-lost', 'unassigned', 'cancelled')),
  tool_names text[] NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed')),
  attempt integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  refund_id text UNIQUE,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX refunds_pending ON refunds (next_try_at) WHERE status = 'pending';
CREATE INDEX refunds_of_payment ON refunds (payment_id);

-- Applied events of Stripe, inserted in the transaction of their effect.
CREATE TABLE stripe_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT now()
);
