-- Why the system cancelled a booking: `owner-disabled` or `dispute-lost`. Null if a person cancelled it.
ALTER TABLE bookings ADD COLUMN cancel_cause text;
