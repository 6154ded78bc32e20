-- Copied from the ledger of payments: what was refunded in Stripe's dashboard, what a lost dispute took, and what a bank holds.
ALTER TABLE allocations
  ADD COLUMN outside_cents integer NOT NULL DEFAULT 0,
  ADD COLUMN lost_cents integer NOT NULL DEFAULT 0,
  ADD COLUMN held_cents integer NOT NULL DEFAULT 0,
  -- What can still be refunded: `returnable_cents` includes what a bank holds, because payments sends it once the dispute is won.
  -- The view `allocation_balances`, which computed both from the sums of the payment, spreads sums that are newer than the copies.
  ADD COLUMN returnable_cents integer GENERATED ALWAYS AS (
    greatest(0, amount_cents - refunded_cents - outside_cents - lost_cents)) VIRTUAL,
  ADD COLUMN left_cents integer GENERATED ALWAYS AS (
    greatest(0, amount_cents - refunded_cents - outside_cents - lost_cents - held_cents)) VIRTUAL,
  -- Validated by the next file: a scan here would lock out readers.
  ADD CONSTRAINT allocations_gone_check CHECK (outside_cents >= 0 AND lost_cents >= 0 AND held_cents >= 0) NOT VALID;
-- The version of the payment whose changes the copies contain.
ALTER TABLE payments ADD COLUMN shares_version integer NOT NULL DEFAULT 0;
