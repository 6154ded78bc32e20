-- When the parties of a booking were warned that the previous renter has not returned its tool; null if they were not.
ALTER TABLE bookings ADD COLUMN told_late_at timestamptz;
