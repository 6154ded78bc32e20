-- When a refund of the dashboard or a dispute last changed the payment: bookings compares what it has heard of them.
ALTER TABLE payments ADD COLUMN stripe_changed_at timestamptz;

-- One table says how far each list was compared. Replicas of the version before this one still use theirs.
INSERT INTO reconciliations (name, next_at, reached_at)
SELECT 'stripe-events', next_at, caught_up_to FROM stripe_catch_up;
