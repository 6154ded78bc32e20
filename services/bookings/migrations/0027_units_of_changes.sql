-- outside a transaction: builds indexes without blocking writes. A booking with an open change may have the same unit
-- at two times.
DROP INDEX CONCURRENTLY IF EXISTS booking_units_of_booking;
CREATE UNIQUE INDEX CONCURRENTLY booking_units_of_booking ON booking_units (booking_id, unit_id, during);
DROP INDEX CONCURRENTLY IF EXISTS booking_units_of_change;
CREATE INDEX CONCURRENTLY booking_units_of_change ON booking_units (change_id) WHERE change_id IS NOT NULL;
