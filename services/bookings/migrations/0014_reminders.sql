-- When the next reminder of a booking is due; null once none is left. Existing bookings, and those that older replicas insert,
-- have the default and are due at once; the job then computes their next reminder.
ALTER TABLE bookings ADD COLUMN remind_at timestamptz DEFAULT 'epoch';
