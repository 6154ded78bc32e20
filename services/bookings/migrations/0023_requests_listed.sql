-- outside a transaction: builds indexes without blocking writes. For lists that include requests. Older replicas still
-- need `bookings_of_owner` and `bookings_of_renter`: drop them in a later release. `bookings_paid` is still used for
-- counts.
DROP INDEX CONCURRENTLY IF EXISTS bookings_shown_to_owner;
CREATE INDEX CONCURRENTLY bookings_shown_to_owner ON bookings (owner_id, id)
  WHERE booked_at IS NOT NULL OR answer_by IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS bookings_shown_to_renter;
CREATE INDEX CONCURRENTLY bookings_shown_to_renter ON bookings (user_id, id)
  WHERE booked_at IS NOT NULL OR answer_by IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS bookings_shown;
CREATE INDEX CONCURRENTLY bookings_shown ON bookings (id) WHERE booked_at IS NOT NULL OR answer_by IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS bookings_to_answer;
CREATE INDEX CONCURRENTLY bookings_to_answer ON bookings (answer_by)
  WHERE status = 'held' AND answer_by IS NOT NULL AND accepted_at IS NULL;
