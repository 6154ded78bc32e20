-- The card of a hold on request is authorized first, and captured once the owner accepts. Until then `status` stays `pending`, which
-- replicas of the previous version understand: they check the payment from time to time and leave it unchanged.
ALTER TABLE payments
  ADD COLUMN on_request boolean NOT NULL DEFAULT false,
  ADD COLUMN authorized_at timestamptz;
