-- outside a transaction: the tables are in use. For the admins' list of users, filtered by admins or disabled users:
-- its page and its count.
DROP INDEX CONCURRENTLY IF EXISTS users_with_admin_role;
CREATE INDEX CONCURRENTLY users_with_admin_role ON users (id) WHERE role = 'Admin';
DROP INDEX CONCURRENTLY IF EXISTS users_disabled;
CREATE INDEX CONCURRENTLY users_disabled ON users (id) WHERE disabled_at IS NOT NULL;
-- For the search in that list.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
DROP INDEX CONCURRENTLY IF EXISTS users_words;
CREATE INDEX CONCURRENTLY users_words ON users
  USING gin (email gin_trgm_ops, user_name gin_trgm_ops, (first_name || ' ' || last_name) gin_trgm_ops);
-- For the purge of pictures that no user refers to.
DROP INDEX CONCURRENTLY IF EXISTS users_images;
CREATE INDEX CONCURRENTLY users_images ON users (image) WHERE image <> 'null';
