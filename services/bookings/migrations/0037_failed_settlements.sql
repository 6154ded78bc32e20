-- Payments whose settlement failed. A row is deleted when a later attempt succeeds or the payment is refunded.
CREATE TABLE failed_settlements (
  payment_id uuid PRIMARY KEY,
  first_failed_at timestamptz NOT NULL DEFAULT now(),
  failures integer NOT NULL DEFAULT 1
);
