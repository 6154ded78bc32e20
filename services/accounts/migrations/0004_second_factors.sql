-- The shared secrets of authenticator apps. Logins need a code once the user has confirmed one.
CREATE TABLE totp_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- Encrypted with FACTOR_KEY.
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  -- The time step of the last accepted code: it and earlier ones are rejected.
  last_step bigint NOT NULL DEFAULT 0
);
-- For the purge.
CREATE INDEX totp_factors_unconfirmed ON totp_factors (created_at) WHERE confirmed_at IS NULL;

-- SHA-256 of each unused recovery code. The codes have 120 random bits, so they need no salt.
CREATE TABLE recovery_codes (
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE
);
CREATE INDEX recovery_codes_user_id ON recovery_codes (user_id);
