-- outside a transaction: builds indexes without blocking writes. For `complete-bookings`, by the time from which it
-- counts.
DROP INDEX CONCURRENTLY IF EXISTS bookings_to_complete;
CREATE INDEX CONCURRENTLY bookings_to_complete ON bookings ((coalesce(returned_at, ends_at)), id)
  WHERE status IN ('confirmed', 'returned');
ALTER TABLE bookings VALIDATE CONSTRAINT bookings_status_check;
