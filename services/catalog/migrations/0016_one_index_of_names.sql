-- outside a transaction: `tools_name` is of the version before the words, and nothing asks it any more.
DROP INDEX CONCURRENTLY IF EXISTS tools_name;
