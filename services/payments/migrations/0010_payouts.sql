-- Stripe's payouts from owners' accounts to their banks, once they were paid or failed. Each change is published once.
CREATE TABLE payouts (
  payout_id text PRIMARY KEY,
  owner_id uuid NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- A paid payout may still fail up to a week later. A failed one is never paid.
  status text NOT NULL CHECK (status IN ('paid', 'failed')),
  failure_code text,
  arrives_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  settled_at timestamptz NOT NULL DEFAULT now()
);

-- Reversals made in Stripe's dashboard whose money waits for an admin.
CREATE INDEX transfer_reversals_returned ON transfer_reversals (created_at) WHERE is_outside AND accepted_at IS NULL;
