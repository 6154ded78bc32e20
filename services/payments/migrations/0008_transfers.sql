ALTER TABLE payments
  -- When its shares were read from bookings with their commission and release, by this database's clock.
  ADD COLUMN shares_read_at timestamptz,
  -- When its shares are read again: at the next release, or earlier in case an event of bookings gets lost.
  ADD COLUMN release_at timestamptz NOT NULL DEFAULT 'infinity';

CREATE FUNCTION schedule_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('release-shares', NEW.id::text, NEW.release_at);
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_release AFTER UPDATE OF release_at ON payments
  FOR EACH ROW EXECUTE FUNCTION schedule_release();

-- Transfers of a booking's share to its owner's account at Stripe. The row is inserted first, so that an unknown outcome is looked up.
CREATE TABLE transfers (
  -- Also in the metadata at Stripe.
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  payment_id uuid NOT NULL REFERENCES payments,
  booking_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  -- Stripe's id of the owner's account.
  account_id text NOT NULL,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  -- `unknown`: it may or may not be at Stripe. `rejected`: it is not, and the next try is another row.
  status text NOT NULL DEFAULT 'unknown' CHECK (status IN ('unknown', 'sent', 'rejected')),
  -- Stripe's id.
  transfer_id text UNIQUE,
  -- Part of the idempotency key at Stripe, which stores a failure under its key for a day.
  attempt integer NOT NULL DEFAULT 0,
  -- Whether it is sent from the platform's balance, because Stripe rejected its charge as the source.
  without_source boolean NOT NULL DEFAULT false,
  tries integer NOT NULL DEFAULT 0,
  -- When it is sent or looked up again or, after a rejection, when another row is inserted. `infinity` once that is done.
  next_try_at timestamptz NOT NULL DEFAULT now(),
  -- Stripe's error code and message of the last try.
  error_code text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- By Stripe's clock.
  sent_at timestamptz,
  CHECK ((status = 'sent') = (transfer_id IS NOT NULL)),
  CHECK ((status = 'sent') = (sent_at IS NOT NULL))
);
-- A share has at most one transfer whose outcome is unknown.
CREATE UNIQUE INDEX transfers_unfinished ON transfers (payment_id, booking_id) WHERE status = 'unknown';
CREATE INDEX transfers_of_share ON transfers (payment_id, booking_id, id);
CREATE INDEX transfers_of_owner ON transfers (owner_id, created_at DESC, id DESC);
-- For the admins' list of stuck transfers and the gauge that counts them.
CREATE INDEX transfers_waiting ON transfers (created_at, id) WHERE status <> 'sent' AND next_try_at < 'infinity';

-- The task `send-transfer` is of a share, not of a row: without an unfinished row it inserts one. A task that finds nothing to send
-- does nothing, so none is removed.
CREATE FUNCTION schedule_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('send-transfer', concat_ws(':', NEW.payment_id, NEW.booking_id), NEW.next_try_at);
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_transfer AFTER INSERT OR UPDATE OF next_try_at ON transfers
  FOR EACH ROW WHEN (NEW.next_try_at < 'infinity') EXECUTE FUNCTION schedule_transfer();

-- Money that returns from an owner's account: ours, row first as above, and those that were made in Stripe's dashboard.
CREATE TABLE transfer_reversals (
  -- Also in the metadata at Stripe, if it is ours.
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- The row of the transfer.
  transfer uuid NOT NULL REFERENCES transfers,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL DEFAULT 'unknown' CHECK (status IN ('unknown', 'made', 'rejected')),
  -- Stripe's id.
  reversal_id text UNIQUE,
  -- Whether it was made without us.
  is_outside boolean NOT NULL DEFAULT false,
  -- When an admin agreed to transfer again what an outside reversal returned. It waits until then.
  accepted_at timestamptz,
  attempt integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  error_code text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- By Stripe's clock.
  made_at timestamptz,
  CHECK ((status = 'made') = (reversal_id IS NOT NULL)),
  CHECK ((status = 'made') = (made_at IS NOT NULL))
);
CREATE UNIQUE INDEX transfer_reversals_unfinished ON transfer_reversals (transfer) WHERE status = 'unknown';
CREATE INDEX transfer_reversals_of_transfer ON transfer_reversals (transfer);

CREATE FUNCTION schedule_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('reverse-transfer', NEW.transfer::text, NEW.next_try_at);
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_reversal AFTER INSERT OR UPDATE OF next_try_at ON transfer_reversals
  FOR EACH ROW WHEN (NEW.next_try_at < 'infinity') EXECUTE FUNCTION schedule_reversal();

-- Transfers wait while the owner's account is not ready, or is held.
CREATE FUNCTION is_payable(a payout_accounts) RETURNS boolean IMMUTABLE
  RETURN a.state = 'ready' AND NOT a.held_by_admin AND NOT a.owner_disabled;
CREATE FUNCTION resume_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_payable(NEW) AND NOT is_payable(OLD) THEN
    PERFORM schedule_task('resume-transfers', NEW.owner_id::text, now());
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER resume_transfers AFTER UPDATE OF state, held_by_admin, owner_disabled ON payout_accounts
  FOR EACH ROW EXECUTE FUNCTION resume_transfers();
