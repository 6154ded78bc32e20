-- The booking that a reported review or message belongs to.
ALTER TABLE reports ADD COLUMN booking_id uuid;
