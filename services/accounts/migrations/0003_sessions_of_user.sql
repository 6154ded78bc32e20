-- outside a transaction
-- A login looks for earlier sessions of the same device, ended ones included.
DROP INDEX CONCURRENTLY IF EXISTS sessions_user_id;
CREATE INDEX CONCURRENTLY sessions_user_id ON sessions (user_id);
