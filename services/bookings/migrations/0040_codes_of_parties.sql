-- outside a transaction: builds indexes without blocking writes. Codes are unique among the open bookings of one owner
-- and of one renter. Unrelated people may have equal ones: otherwise six digits would run out.
DROP INDEX CONCURRENTLY IF EXISTS bookings_open_code_of_owner;
CREATE UNIQUE INDEX CONCURRENTLY bookings_open_code_of_owner ON bookings (owner_id, code) WHERE status IN ('held', 'confirmed');
DROP INDEX CONCURRENTLY IF EXISTS bookings_open_code_of_renter;
CREATE UNIQUE INDEX CONCURRENTLY bookings_open_code_of_renter ON bookings (user_id, code) WHERE status IN ('held', 'confirmed');
