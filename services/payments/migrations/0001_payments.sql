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
  -- The card of a hold on request is authorized first, and captured once the owner accepts. Until then `status` stays `pending`.
  on_request boolean NOT NULL DEFAULT false,
  authorized_at timestamptz,
  -- How many cards were declined for the payment's intent.
  declines integer NOT NULL DEFAULT 0,
  -- Stripe's ids of cards whose 3-D Secure authentication failed: unlike declines, they leave no charge to count. Included in
  -- `declines`.
  failed_authentications text[] NOT NULL DEFAULT '{}',
  -- Keyed hashes of the payer's networks, deleted after a day.
  networks text[] NOT NULL DEFAULT '{}',
  -- When an unpaid intent is canceled.
  expires_at timestamptz NOT NULL,
  -- When the reconciler checks it next. Claiming a row moves it on, so that replicas share the work.
  next_check_at timestamptz NOT NULL,
  succeeded_at timestamptz,
  reserved_cents integer NOT NULL DEFAULT 0,
  refunded_cents integer NOT NULL DEFAULT 0,
  -- Sums of `outside_refunds` and `disputes`. Every change holds the payment's lock, so they stay consistent.
  outside_cents integer NOT NULL DEFAULT 0 CHECK (outside_cents >= 0),
  held_cents integer NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  lost_cents integer NOT NULL DEFAULT 0 CHECK (lost_cents >= 0),
  -- The most important state among its disputes.
  dispute text CHECK (dispute IN ('inquiry', 'open', 'won', 'lost')),
  -- When an outside refund or a dispute last changed it: bookings reconciles these changes with the events it consumed.
  stripe_changed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Never refund more than was charged, even if the code is wrong.
  CHECK (0 <= refunded_cents AND refunded_cents <= reserved_cents AND reserved_cents <= amount_cents),
  CHECK (reserved_cents = 0 OR succeeded_at IS NOT NULL),
  CONSTRAINT payments_refunds_fit CHECK (refunded_cents + outside_cents <= amount_cents)
);
CREATE INDEX payments_of_user ON payments (user_id, id DESC) WHERE status = 'succeeded';
-- For the list that bookings reconciles.
CREATE INDEX payments_by_news ON payments (greatest(succeeded_at, stripe_changed_at), id) WHERE succeeded_at IS NOT NULL;
-- For the limits on declines of a user and of a network. Partial, because few payments have any.
CREATE INDEX payments_declined ON payments (user_id, created_at) WHERE declines > 0;
CREATE INDEX payments_declined_networks ON payments USING gin (networks) WHERE declines > 0;
-- For the purges.
CREATE INDEX payments_with_networks ON payments (created_at) WHERE networks <> '{}';
CREATE INDEX payments_canceled ON payments (created_at) WHERE status = 'canceled';

-- Runs a task when the moment in a row's column comes. The column stays the truth: a statement that sets it, in the code or by an
-- operator, moves the task. A migration may not assume that the scheduler's schema exists, so only the function names it.
CREATE FUNCTION schedule_task(task text, id text, run_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF run_at < 'infinity' THEN
    PERFORM graphile_worker.add_job(task, to_json(id), run_at => run_at, job_key => task || ':' || id, max_attempts => 32767);
  ELSE
    PERFORM graphile_worker.remove_job(task || ':' || id);
  END IF;
END $$;

-- Open payments are checked, and ended authorizations until bookings acknowledges the end.
CREATE FUNCTION schedule_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('reconcile-payment', NEW.id::text, CASE
    WHEN NEW.status IN ('pending', 'failed') OR (NEW.status = 'canceled' AND NEW.authorized_at IS NOT NULL) THEN NEW.next_check_at
    ELSE 'infinity' END);
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_check AFTER INSERT OR UPDATE OF next_check_at, status ON payments
  FOR EACH ROW EXECUTE FUNCTION schedule_check();

-- Refunds that are owed or done. The key names the reason, so that a repeated event is a no-op.
CREATE TABLE refunds (
  key text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  booking_id uuid,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL CHECK (reason IN ('slot-lost', 'unassigned', 'unsettled', 'cancelled', 'changed', 'admin')),
  tool_names text[] NOT NULL,
  -- `voided`: its money was returned another way before it was sent.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed', 'voided')),
  -- Cents that were withdrawn from the reserved refund, because they were returned another way. They are reserved again if they
  -- become available again.
  withdrawn_cents integer NOT NULL DEFAULT 0 CHECK (withdrawn_cents >= 0),
  attempt integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  -- Failed refunds are retried, with a backoff of days that grows with the failures.
  failures integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  refund_id text UNIQUE,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  -- When the renter was notified: once, even if the refund fails after all and is retried.
  notified_at timestamptz
);
CREATE INDEX refunds_of_payment ON refunds (payment_id);
-- Succeeded refunds are checked too, because a bank may return the money weeks after Stripe called the refund succeeded.
CREATE FUNCTION schedule_try() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('send-refund', NEW.key, NEW.next_try_at);
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_try AFTER INSERT OR UPDATE OF next_try_at ON refunds
  FOR EACH ROW EXECUTE FUNCTION schedule_try();
-- For the gauge of pending and failed refunds.
CREATE INDEX refunds_unfinished ON refunds (status) WHERE status IN ('pending', 'failed');

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
  -- Stripe's status and reason, and its deadline for evidence: `infinity` if none can be submitted.
  status text NOT NULL,
  reason text NOT NULL,
  answer_by timestamptz NOT NULL,
  -- When admins were reminded of the deadline.
  reminded_at timestamptz,
  -- When we requested it from Stripe, by this database's clock: the reply to the later request wins.
  requested_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX disputes_of_payment ON disputes (payment_id);
CREATE INDEX disputes_open ON disputes (answer_by, dispute_id) WHERE state IN ('inquiry', 'open');
-- Reminds admins two days before the deadline. The notice of the opening names it, so the reminder comes a day later at the earliest.
CREATE FUNCTION dispute_remind_at(d disputes) RETURNS timestamptz STABLE RETURN CASE
  WHEN d.state IN ('inquiry', 'open') AND d.reminded_at IS NULL THEN greatest(d.answer_by - interval '2 days', d.created_at + interval '1 day')
  ELSE 'infinity' END;
CREATE FUNCTION schedule_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('remind-of-dispute', NEW.dispute_id, dispute_remind_at(NEW));
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_reminder AFTER INSERT OR UPDATE OF state, answer_by, created_at ON disputes
  FOR EACH ROW EXECUTE FUNCTION schedule_reminder();
CREATE INDEX disputes_over ON disputes (created_at, dispute_id) WHERE state IN ('won', 'lost');

-- Early fraud warnings by card issuers. Actionable until the payment is disputed or refunded in full.
CREATE TABLE fraud_warnings (
  warning_id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  fraud_type text NOT NULL,
  is_actionable boolean NOT NULL,
  -- As in `disputes`.
  requested_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fraud_warnings_open ON fraud_warnings (created_at, warning_id) WHERE is_actionable;
CREATE INDEX fraud_warnings_over ON fraud_warnings (created_at, warning_id) WHERE NOT is_actionable;

-- Applied events of Stripe, inserted in the transaction of their effect.
CREATE TABLE stripe_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX stripe_events_handled_at ON stripe_events (handled_at);

INSERT INTO reconciliations (name, next_at, reached_at) VALUES
  ('refunds', now(), to_timestamp(0)),
  -- Stripe keeps its events for 30 days.
  ('stripe-events', now(), now() - interval '30 days');
