-- A row now begins with the hold that may become the booking.
ALTER TABLE tool_bookings ADD COLUMN held_at timestamptz, ADD COLUMN expired_at timestamptz;
