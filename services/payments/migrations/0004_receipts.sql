-- The numbers of receipts and credit notes, assigned when one is first read and never changed. Everything else of a receipt is
-- read from the payment, its refunds and the bookings service.
CREATE TABLE receipts (
  -- Random: a restored backup must not assign a number again that was already emailed.
  number text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  -- The refund that a credit note is for: the key of `refunds` or the id of `outside_refunds`. Empty for the payment's receipt.
  refund text NOT NULL DEFAULT '',
  -- When the card was charged, or the refund made. A refund that fails afterwards loses its own date.
  dated_at timestamptz NOT NULL,
  -- Only of receipts. The card, if Stripe named it, and the tax that the operator had set then.
  card_brand text,
  card_last4 text,
  tax_name text,
  tax_percent numeric,
  issued_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (payment_id, refund),
  CHECK ((tax_name IS NULL) = (tax_percent IS NULL))
);
