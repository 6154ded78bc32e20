-- Balance of each share in `available` and `sending`, for the list and the gauge of stuck transfers. A trigger maintains it, also for
-- entries of older replicas.
CREATE TABLE waiting_shares (
  booking_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  owner_id uuid,
  cents bigint NOT NULL CHECK (cents > 0),
  -- When the share got its last cents. Those that Stripe did not transfer don't count.
  released_at timestamptz NOT NULL,
  PRIMARY KEY (booking_id, payment_id)
);
CREATE INDEX waiting_shares_of_owner ON waiting_shares (owner_id, booking_id, payment_id);
CREATE INDEX waiting_shares_of_payment ON waiting_shares (payment_id);
CREATE INDEX waiting_shares_by_release ON waiting_shares (released_at);

CREATE FUNCTION update_waiting_shares() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added WHERE booking_id IS NOT NULL AND ARRAY[from_account, to_account] && ARRAY['available', 'sending']) THEN
    RETURN NULL;
  END IF;
  WITH sums AS (
    SELECT l.booking_id, l.payment_id, any_value(l.owner_id) AS owner_id,
      sum(CASE WHEN l.to_account IN ('available', 'sending') THEN l.cents ELSE 0 END
        - CASE WHEN l.from_account IN ('available', 'sending') THEN l.cents ELSE 0 END)::bigint AS cents,
      max(l.posted_at) FILTER (WHERE l.to_account = 'available' AND l.from_account <> 'sending') AS released_at
    FROM (SELECT DISTINCT payment_id, booking_id FROM added
          WHERE booking_id IS NOT NULL AND ARRAY[from_account, to_account] && ARRAY['available', 'sending']) touched
    JOIN ledger l ON l.payment_id = touched.payment_id AND l.booking_id = touched.booking_id
    GROUP BY 1, 2),
  gone AS (
    DELETE FROM waiting_shares w USING sums
    WHERE w.booking_id = sums.booking_id AND w.payment_id = sums.payment_id AND sums.cents <= 0)
  INSERT INTO waiting_shares (booking_id, payment_id, owner_id, cents, released_at)
  SELECT booking_id, payment_id, owner_id, cents, coalesce(released_at, now()) FROM sums WHERE cents > 0
  ON CONFLICT (booking_id, payment_id)
    DO UPDATE SET owner_id = excluded.owner_id, cents = excluded.cents, released_at = excluded.released_at;
  RETURN NULL;
END $$;
-- Creating the trigger locks out writers of the ledger until the commit, so that no share is missed. Tasks in the
-- background wait, and so does an admin who writes off a debt.
CREATE TRIGGER update_waiting_shares AFTER INSERT ON ledger
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION update_waiting_shares();

SET LOCAL work_mem = '256MB';
INSERT INTO waiting_shares (booking_id, payment_id, owner_id, cents, released_at)
SELECT booking_id, payment_id, owner_id, cents, coalesce(released_at, now())
FROM (
  SELECT booking_id, payment_id, any_value(owner_id) AS owner_id,
    sum(CASE WHEN to_account IN ('available', 'sending') THEN cents ELSE 0 END
      - CASE WHEN from_account IN ('available', 'sending') THEN cents ELSE 0 END)::bigint AS cents,
    max(posted_at) FILTER (WHERE to_account = 'available' AND from_account <> 'sending') AS released_at
  FROM ledger
  WHERE booking_id IS NOT NULL AND payment_id IS NOT NULL
    AND (from_account IN ('available', 'sending') OR to_account IN ('available', 'sending'))
  GROUP BY 1, 2) sums
WHERE cents > 0;
