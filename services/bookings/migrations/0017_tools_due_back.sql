-- outside a transaction: on a table in use.
DROP INDEX CONCURRENTLY IF EXISTS bookings_due_back;
CREATE INDEX CONCURRENTLY bookings_due_back ON bookings (ends_at) WHERE status = 'confirmed';
