-- outside a transaction: no query uses `tools_name` since search uses words.
DROP INDEX CONCURRENTLY IF EXISTS tools_name;
