-- Reads both tables, and stops none of their writes meanwhile: a file of its own, so that the locks of the one before are
-- gone.
ALTER TABLE bookings VALIDATE CONSTRAINT bookings_status_check;
ALTER TABLE bookings VALIDATE CONSTRAINT bookings_seen_by_parties;
ALTER TABLE holds VALIDATE CONSTRAINT holds_status_check;
