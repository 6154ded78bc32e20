-- Cards whose 3-D Secure authentication failed, by Stripe's id: they leave no charge that could be counted. `declines` includes them.
ALTER TABLE payments
  ADD COLUMN failed_authentications text[] NOT NULL DEFAULT '{}',
  -- Where the payment was started from, as keyed hashes, for a day.
  ADD COLUMN networks text[] NOT NULL DEFAULT '{}';
