-- When the owner is to be reminded of what they have not answered; null once they were. A replica of the version before reminds nobody of what is asked by it.
ALTER TABLE bookings ADD COLUMN remind_answer_at timestamptz;
ALTER TABLE booking_changes ADD COLUMN remind_answer_at timestamptz;
