-- outside a transaction: "near me" sorts by distance, then newest first, and all tools of a town may be at one
-- distance. With the time in the index, a page reads only its own entries, not every tool in the nearest town.
-- `made_ms`: milliseconds since 1970, the first 48 bits of a UUIDv7. Orders ids by creation, except within a millisecond.
CREATE OR REPLACE FUNCTION made_ms(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint;
DROP INDEX CONCURRENTLY IF EXISTS tools_nearest_newest;
CREATE INDEX CONCURRENTLY tools_nearest_newest ON tools USING gist (place, made_ms(id)) WHERE on_offer;
DROP INDEX CONCURRENTLY IF EXISTS tools_category_nearest_newest;
CREATE INDEX CONCURRENTLY tools_category_nearest_newest ON tools USING gist (category_id, place, made_ms(id)) WHERE on_offer;
-- The new indexes start with the columns of these, so they serve the previous version too.
DROP INDEX CONCURRENTLY IF EXISTS tools_near;
DROP INDEX CONCURRENTLY IF EXISTS tools_category_near;
