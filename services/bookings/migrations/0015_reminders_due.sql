-- outside a transaction: builds indexes without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS bookings_to_remind;
CREATE INDEX CONCURRENTLY bookings_to_remind ON bookings (remind_at) WHERE status = 'confirmed' AND remind_at IS NOT NULL;
