-- When a booking, or the hold that may become it, has which of its tool's units, by their numbers. Null for one of before,
-- until bookings tells it, and again once it is over.
ALTER TABLE tool_bookings ADD COLUMN starts_at timestamptz, ADD COLUMN ends_at timestamptz, ADD COLUMN units integer[];
