-- The customer at Stripe to which a user's saved cards are attached. The cards are at Stripe only.
CREATE TABLE customers (
  user_id uuid PRIMARY KEY,
  -- Stripe's id.
  customer_id text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Whether the intent saves its card. The next attempt with another card then unsets it.
ALTER TABLE payments ADD COLUMN saves_card boolean NOT NULL DEFAULT false;
