-- The version of a booking's event that its dates are as of: a change may be heard of before the booking.
ALTER TABLE tool_bookings ADD COLUMN dates_version integer NOT NULL DEFAULT 0;
