-- When a booking, or the hold that may become it, takes which numbered units of its tool. Null for older bookings
-- until bookings publishes their dates, and again once a booking is over.
ALTER TABLE tool_bookings ADD COLUMN starts_at timestamptz, ADD COLUMN ends_at timestamptz, ADD COLUMN units integer[];
