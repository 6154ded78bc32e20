-- outside a transaction: builds indexes without blocking writes. Index-only scans of `bookings_revenue` serve the
-- statistics. It replaces `bookings_booked_at`.
DROP INDEX CONCURRENTLY IF EXISTS bookings_revenue;
CREATE INDEX CONCURRENTLY bookings_revenue ON bookings (booked_at) INCLUDE (status, total_cents, kept_cents)
  WHERE booked_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS bookings_booked_at;
-- The statistics compute balances only for the few payments that were refunded in Stripe's dashboard or disputed.
DROP INDEX CONCURRENTLY IF EXISTS payments_touched_at_stripe;
CREATE INDEX CONCURRENTLY payments_touched_at_stripe ON payments (id) WHERE outside_cents > 0 OR disputed_cents > 0;
-- For the list filtered by status, and for its count.
DROP INDEX CONCURRENTLY IF EXISTS bookings_shown_by_status;
CREATE INDEX CONCURRENTLY bookings_shown_by_status ON bookings (status, id) WHERE booked_at IS NOT NULL OR answer_by IS NOT NULL;
-- For the search by code and tool, and by people.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
DROP INDEX CONCURRENTLY IF EXISTS bookings_words;
CREATE INDEX CONCURRENTLY bookings_words ON bookings USING gin (code gin_trgm_ops, name gin_trgm_ops)
  WHERE booked_at IS NOT NULL OR answer_by IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS people_names;
CREATE INDEX CONCURRENTLY people_names ON people USING gin ((first_name || ' ' || last_name) gin_trgm_ops);
