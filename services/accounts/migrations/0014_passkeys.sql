-- Passkeys: each logs its user in alone, or as the second factor.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id bytea NOT NULL UNIQUE,
  -- A COSE key.
  public_key bytea NOT NULL,
  -- Zero if the authenticator does not count; otherwise each login must have a higher one.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz,
  -- Set when the password is reset by email: a thief who knew the old password may have added this passkey. Use as a second factor
  -- after the new password clears it.
  needs_password boolean NOT NULL DEFAULT false
);
CREATE INDEX passkeys_user_id ON passkeys (user_id);

-- SHA-256 of each challenge that a passkey has answered: it is rejected until it expires.
CREATE TABLE spent_challenges (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX spent_challenges_expires_at ON spent_challenges (expires_at);
