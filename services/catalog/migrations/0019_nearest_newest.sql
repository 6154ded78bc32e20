-- outside a transaction: near me shows the newest of those at one distance first, and a whole town may be at one. With the
-- time in the index its walk gives that order and ends after a page; before, it read all tools of the nearest town.
-- Milliseconds since 1970, the first 48 bits of a UUIDv7: in their order the ids are, but for those of one millisecond.
CREATE OR REPLACE FUNCTION made_ms(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint;
DROP INDEX CONCURRENTLY IF EXISTS tools_nearest_newest;
CREATE INDEX CONCURRENTLY tools_nearest_newest ON tools USING gist (place, made_ms(id)) WHERE on_offer;
DROP INDEX CONCURRENTLY IF EXISTS tools_category_nearest_newest;
CREATE INDEX CONCURRENTLY tools_category_nearest_newest ON tools USING gist (category_id, place, made_ms(id)) WHERE on_offer;
-- Their first columns are those of the new ones, which so serve the version before as well.
DROP INDEX CONCURRENTLY IF EXISTS tools_near;
DROP INDEX CONCURRENTLY IF EXISTS tools_category_near;
