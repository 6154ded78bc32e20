-- A row can start as a hold, which may become the booking.
ALTER TABLE tool_bookings ADD COLUMN held_at timestamptz, ADD COLUMN expired_at timestamptz;
