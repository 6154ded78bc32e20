-- outside a transaction
-- Separate indexes for new and for failed events, so that the relay reads neither through the other.
DROP INDEX CONCURRENTLY IF EXISTS outbox_messages_new;
CREATE INDEX CONCURRENTLY outbox_messages_new ON outbox_messages (position) WHERE published_at IS NULL AND retry_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS outbox_messages_failed;
CREATE INDEX CONCURRENTLY outbox_messages_failed ON outbox_messages (retry_at) WHERE published_at IS NULL AND retry_at IS NOT NULL;
-- Replicas of the previous version use the index on `published_at` instead.
DROP INDEX CONCURRENTLY IF EXISTS outbox_messages_unpublished;
