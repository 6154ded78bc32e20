-- Reads both tables without blocking writes. In a file of its own, so that the locks of the previous migration are
-- released.
ALTER TABLE bookings VALIDATE CONSTRAINT bookings_status_check;
ALTER TABLE bookings VALIDATE CONSTRAINT bookings_seen_by_parties;
ALTER TABLE holds VALIDATE CONSTRAINT holds_status_check;
