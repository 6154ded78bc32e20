-- When somebody is to be reminded of a booking next; null once there is nothing left to be reminded of. The default is what
-- bookings of before have, and those that a replica of the version before makes: their reminders are found at once.
ALTER TABLE bookings ADD COLUMN remind_at timestamptz DEFAULT 'epoch';
