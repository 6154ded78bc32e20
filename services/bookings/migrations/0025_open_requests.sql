-- outside a transaction: builds indexes without blocking writes. For the gauges of overdue requests, which should have
-- been answered or charged by now.
DROP INDEX CONCURRENTLY IF EXISTS bookings_open_requests;
CREATE INDEX CONCURRENTLY bookings_open_requests ON bookings (answer_by) WHERE status = 'held' AND answer_by IS NOT NULL;
