ALTER TABLE payments
  -- The shares in the last PaymentSharesChanged, which bookings copies, and the payment's version in that event.
  ADD COLUMN published_shares jsonb,
  ADD COLUMN shares_version integer NOT NULL DEFAULT 0;
