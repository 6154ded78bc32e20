-- For the list of succeeded payments, which bookings reconciles.
CREATE INDEX payments_succeeded ON payments (succeeded_at, id)
  WHERE status = 'succeeded' AND reserved_cents = 0;

INSERT INTO reconciliations (name, next_at, reached_at) VALUES ('refunds', now(), to_timestamp(0));
