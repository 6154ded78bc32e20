-- outside a transaction: builds indexes without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS booking_changes_to_answer;
CREATE INDEX CONCURRENTLY booking_changes_to_answer ON booking_changes (answer_by)
  WHERE status = 'open' AND answer_by IS NOT NULL;
