-- Stripe's ids of cards whose 3-D Secure authentication failed: unlike declines, they leave no charge to count. Included in `declines`.
ALTER TABLE payments
  ADD COLUMN failed_authentications text[] NOT NULL DEFAULT '{}',
  -- Keyed hashes of the payer's networks, deleted after a day.
  ADD COLUMN networks text[] NOT NULL DEFAULT '{}';
