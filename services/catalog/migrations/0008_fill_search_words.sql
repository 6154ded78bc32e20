-- outside a transaction: fills 500 tools at a time, then makes the indexes of the words, on a table in use. The index of
-- the version before, `tools_name`, can go with the next one.
CALL fill_tool_words();
DROP INDEX CONCURRENTLY IF EXISTS tools_name_words;
CREATE INDEX CONCURRENTLY tools_name_words ON tools USING gin (name_words) WHERE on_offer;
DROP INDEX CONCURRENTLY IF EXISTS tools_words;
CREATE INDEX CONCURRENTLY tools_words ON tools USING gin (words) WHERE on_offer;
ANALYZE tools (name_words, words);
