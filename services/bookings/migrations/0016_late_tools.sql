-- When the parties of a booking were told that its tool is not back from the renter before; null unless they were.
ALTER TABLE bookings ADD COLUMN told_late_at timestamptz;
