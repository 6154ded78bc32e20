-- Of a hold on request the card is authorized first, and captured once the owner has accepted. Until then the payment stays
-- `pending` in this column, which a replica of the version before understands: it looks at it now and then, and leaves it.
ALTER TABLE payments
  ADD COLUMN on_request boolean NOT NULL DEFAULT false,
  ADD COLUMN authorized_at timestamptz;
