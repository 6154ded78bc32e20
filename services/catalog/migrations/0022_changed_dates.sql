-- The event version that set the dates: `BookingChanged` may arrive before `BookingCreated`.
ALTER TABLE tool_bookings ADD COLUMN dates_version integer NOT NULL DEFAULT 0;
