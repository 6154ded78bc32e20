-- outside a transaction: on a table in use. For the limit on refunded payments.
DROP INDEX CONCURRENTLY IF EXISTS payments_of_user;
CREATE INDEX CONCURRENTLY payments_of_user ON payments (user_id);
