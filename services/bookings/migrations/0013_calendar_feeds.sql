-- The secret in a feed's address gives access to a person's calendar, so only its hash is stored.
CREATE TABLE calendar_feeds (
  user_id uuid PRIMARY KEY,
  secret_hash bytea NOT NULL UNIQUE,
  since timestamptz NOT NULL DEFAULT now()
);
