-- outside a transaction: the index of the gauge of pending and failed refunds, built without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS refunds_unfinished;
CREATE INDEX CONCURRENTLY refunds_unfinished ON refunds (status) WHERE status IN ('pending', 'failed');
