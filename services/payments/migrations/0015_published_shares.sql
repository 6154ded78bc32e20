ALTER TABLE payments
  -- What bookings copies, as it was published last, and the payment's version whose changes it contains.
  ADD COLUMN published_shares jsonb,
  ADD COLUMN shares_version integer NOT NULL DEFAULT 0;
