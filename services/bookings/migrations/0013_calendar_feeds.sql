-- Who knows the secret reads somebody's calendar; the hash alone is kept, so that nobody learns it from here.
CREATE TABLE calendar_feeds (
  user_id uuid PRIMARY KEY,
  secret_hash bytea NOT NULL UNIQUE,
  since timestamptz NOT NULL DEFAULT now()
);
