-- outside a transaction: builds indexes without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS bookings_answers_to_remind;
CREATE INDEX CONCURRENTLY bookings_answers_to_remind ON bookings (remind_answer_at) WHERE remind_answer_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS booking_changes_answers_to_remind;
CREATE INDEX CONCURRENTLY booking_changes_answers_to_remind ON booking_changes (remind_answer_at)
  WHERE remind_answer_at IS NOT NULL;
