-- outside a transaction: builds indexes without blocking writes. For the foreign key check when changes are deleted
-- with their holds.
DROP INDEX CONCURRENTLY IF EXISTS refund_orders_of_change;
CREATE INDEX CONCURRENTLY refund_orders_of_change ON refund_orders (change_id) WHERE change_id IS NOT NULL;
