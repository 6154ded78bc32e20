-- An owner's account at Stripe, and when the owner is reminded of it. A row exists from the first paid booking, or from the first try to
-- set payouts up. Bank accounts and identities are at Stripe only.
CREATE TABLE payout_accounts (
  owner_id uuid PRIMARY KEY,
  -- Stripe's id. It stays when Stripe denies access, because that may be the fault of a wrong key; the state is `not-started` then.
  account_id text UNIQUE,
  state text NOT NULL DEFAULT 'not-started' CHECK (state IN ('not-started', 'incomplete', 'ready')),
  needs_information boolean NOT NULL DEFAULT false,
  in_review boolean NOT NULL DEFAULT false,
  needed_by timestamptz,
  version integer NOT NULL DEFAULT 0,
  -- When the account was first requested, until its id is stored. A later try looks at Stripe for an account since then.
  creating_since timestamptz,
  -- Part of the idempotency key at Stripe, which stores a 500 under its key for a day.
  attempt integer NOT NULL DEFAULT 0,
  -- When its status was requested from Stripe, by this database's clock: the reply to the later request wins.
  read_at timestamptz,
  -- When it is read again in case a webhook gets lost.
  next_check_at timestamptz NOT NULL DEFAULT 'infinity',
  -- Payouts wait while an admin holds them, or while the owner is disabled (as of a version of the user).
  held_by_admin boolean NOT NULL DEFAULT false,
  owner_disabled boolean NOT NULL DEFAULT false,
  owner_version integer NOT NULL DEFAULT 0,
  -- The owner is reminded 1, 7 and 30 days after the first paid booking, unless only Stripe has something to do.
  first_booked_at timestamptz,
  reminders integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION payout_reminder_at(a payout_accounts) RETURNS timestamptz STABLE RETURN CASE
  WHEN a.state = 'ready' OR a.in_review OR a.owner_disabled THEN 'infinity'
  ELSE coalesce(a.first_booked_at + (ARRAY[1, 7, 30])[a.reminders + 1] * interval '1 day', 'infinity') END;

CREATE FUNCTION schedule_payout_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('check-payout-account', NEW.owner_id::text, NEW.next_check_at);
  PERFORM schedule_task('remind-of-payouts', NEW.owner_id::text, payout_reminder_at(NEW));
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_payout_tasks
  AFTER INSERT OR UPDATE OF state, in_review, next_check_at, owner_disabled, first_booked_at, reminders ON payout_accounts
  FOR EACH ROW EXECUTE FUNCTION schedule_payout_tasks();
