-- outside a transaction: on a table in use. For `complete-bookings`, by the time from which it counts.
DROP INDEX CONCURRENTLY IF EXISTS bookings_to_complete;
CREATE INDEX CONCURRENTLY bookings_to_complete ON bookings ((coalesce(returned_at, ends_at)), id)
  WHERE status IN ('confirmed', 'returned');
ALTER TABLE bookings VALIDATE CONSTRAINT bookings_status_check;
