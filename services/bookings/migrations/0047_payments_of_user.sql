-- outside a transaction: builds indexes without blocking writes. For the limit on refunded payments.
DROP INDEX CONCURRENTLY IF EXISTS payments_of_user;
CREATE INDEX CONCURRENTLY payments_of_user ON payments (user_id);
