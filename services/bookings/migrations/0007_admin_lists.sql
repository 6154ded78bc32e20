-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS bookings_confirmed_by_end;
-- For rentals that are over without a confirmed return.
CREATE INDEX CONCURRENTLY bookings_confirmed_by_end ON bookings (ends_at) WHERE status = 'confirmed' AND booked_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS reviews_by_stars;
CREATE INDEX CONCURRENTLY reviews_by_stars ON reviews (rating, id);
DROP INDEX CONCURRENTLY IF EXISTS reviews_words;
CREATE INDEX CONCURRENTLY reviews_words ON reviews USING gin (comment gin_trgm_ops);
