-- When the owner is reminded of an unanswered request; null once reminded. Requests of older replicas get no reminder.
ALTER TABLE bookings ADD COLUMN remind_answer_at timestamptz;
ALTER TABLE booking_changes ADD COLUMN remind_answer_at timestamptz;
