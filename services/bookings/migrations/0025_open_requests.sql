-- outside a transaction: on a table in use. For the gauges of overdue requests, which should have been answered or charged by now.
DROP INDEX CONCURRENTLY IF EXISTS bookings_open_requests;
CREATE INDEX CONCURRENTLY bookings_open_requests ON bookings (answer_by) WHERE status = 'held' AND answer_by IS NOT NULL;
