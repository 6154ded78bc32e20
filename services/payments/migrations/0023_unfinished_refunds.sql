-- outside a transaction: on a table in use. For the gauge of refunds that are pending or have failed.
DROP INDEX CONCURRENTLY IF EXISTS refunds_unfinished;
CREATE INDEX CONCURRENTLY refunds_unfinished ON refunds (status) WHERE status IN ('pending', 'failed');
