-- outside a transaction: builds indexes without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS bookings_due_back;
CREATE INDEX CONCURRENTLY bookings_due_back ON bookings (ends_at) WHERE status = 'confirmed';
