-- For the search in the admins' list of users.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- Every change increments it. It is the version of the user's events and the `revision` that an edit has to match.
  version integer NOT NULL DEFAULT 1,
  role text NOT NULL DEFAULT 'User' CHECK (role IN ('User', 'Admin')),
  user_name text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  -- In lower case; the contract's schema lowercases it.
  email text NOT NULL CONSTRAINT users_email_taken UNIQUE CHECK (email = lower(email)),
  -- When the user followed a link emailed to this address; null before that.
  email_verified_at timestamptz,
  phone text NOT NULL,
  password_hash text NOT NULL,
  image text NOT NULL DEFAULT 'null',
  country text NOT NULL,
  state text NOT NULL,
  city text NOT NULL,
  address text NOT NULL,
  -- Where the user's tools are picked up: the city's center, or with `area` the center of a half-mile square around the
  -- given ZIP code or point. Nothing more exact is stored.
  place_accuracy text NOT NULL DEFAULT 'city' CHECK (place_accuracy IN ('city', 'area')),
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  zip text NOT NULL DEFAULT '',
  time_zone text NOT NULL,
  disabled_at timestamptz,
  -- Access tokens with an earlier version of the user are invalid. Unlike times, versions are safe from the clock skew
  -- between replicas. The time only says when the last of these tokens has expired.
  access_cut_version integer,
  access_cut_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX users_created_at ON users (created_at);
-- A starting service loads the recent cuts.
CREATE INDEX users_access_cut_at ON users (access_cut_at) WHERE access_cut_at IS NOT NULL;
-- Counts the active admins: the last one cannot be disabled.
CREATE INDEX users_admins ON users (id) WHERE role = 'Admin' AND disabled_at IS NULL;
-- The admins' list of users: filtered by admins or disabled users, and searched.
CREATE INDEX users_with_admin_role ON users (id) WHERE role = 'Admin';
CREATE INDEX users_disabled ON users (id) WHERE disabled_at IS NOT NULL;
CREATE INDEX users_words ON users
  USING gin (email gin_trgm_ops, user_name gin_trgm_ops, (first_name || ' ' || last_name) gin_trgm_ops);
-- The purge of pictures looks up which stored pictures a user still refers to.
CREATE INDEX users_images ON users (image) WHERE image <> 'null';

-- A login and its refreshes: a family of refresh tokens that end together.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- When the session's newest access token expires. Until then an ended session is listed as revoked.
  access_until timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sessions_live ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_ended_access_until ON sessions (access_until) WHERE ended_at IS NOT NULL;
-- For the purge.
CREATE INDEX sessions_ended_at ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- SHA-256 of each token of a family. Used tokens stay as long as a cookie lives, to detect reuse of a stolen one.
CREATE TABLE refresh_tokens (
  hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX refresh_tokens_session_id ON refresh_tokens (session_id);
-- For the hourly purge: a session in use leaves about a hundred used tokens a day.
CREATE INDEX refresh_tokens_used_at ON refresh_tokens (used_at) WHERE used_at IS NOT NULL;

-- SHA-256 of each emailed token that has not been used yet: for a new password, for a new email, or to verify the email.
CREATE TABLE mailed_tokens (
  hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('password', 'email', 'verify')),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  new_email text CHECK ((purpose = 'email') = (new_email IS NOT NULL)),
  expires_at timestamptz NOT NULL
);
CREATE INDEX mailed_tokens_user_id ON mailed_tokens (user_id);
CREATE INDEX mailed_tokens_expires_at ON mailed_tokens (expires_at);

-- The public keys that verify the tokens of every replica. Private keys are only in the replicas' settings.
CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_key jsonb NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);

-- The schema that rate-limiter-flexible expects; `expire` is in epoch milliseconds. Unlogged, so that counting an
-- attempt does not wait for the disk; a server crash loses the counters, which cover 15 minutes to an hour.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire ON rate_limits (expire);

-- Stored pictures that nothing refers to, and since when.
CREATE TABLE unused_pictures (
  path text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);
