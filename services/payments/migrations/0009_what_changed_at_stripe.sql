-- When an outside refund or a dispute last changed the payment: bookings reconciles these changes with the events it consumed.
ALTER TABLE payments ADD COLUMN stripe_changed_at timestamptz;

-- `reconciliations` replaces `stripe_catch_up`, which replicas of the previous version still use.
INSERT INTO reconciliations (name, next_at, reached_at)
SELECT 'stripe-events', next_at, caught_up_to FROM stripe_catch_up;
