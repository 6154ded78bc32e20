-- outside a transaction: fills 500 tools at a time, then creates the indexes on a table in use. The previous
-- version's index `tools_name` can be dropped in the next release.
CALL fill_tool_words();
DROP INDEX CONCURRENTLY IF EXISTS tools_name_words;
CREATE INDEX CONCURRENTLY tools_name_words ON tools USING gin (name_words) WHERE on_offer;
DROP INDEX CONCURRENTLY IF EXISTS tools_words;
CREATE INDEX CONCURRENTLY tools_words ON tools USING gin (words) WHERE on_offer;
ANALYZE tools (name_words, words);
