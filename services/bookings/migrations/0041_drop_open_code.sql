-- outside a transaction: drops an index without blocking writes. The indexes of 0040 replace it. Replicas older than
-- 0040 name it in an INSERT, so they can't hold carts any more.
DROP INDEX CONCURRENTLY IF EXISTS bookings_open_code;
