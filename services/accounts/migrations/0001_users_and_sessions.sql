CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  version integer NOT NULL DEFAULT 1,
  role text NOT NULL DEFAULT 'User' CHECK (role IN ('User', 'Admin')),
  user_name text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  -- In lower case; the contract's schema lowercases it.
  email text NOT NULL CONSTRAINT users_email_taken UNIQUE CHECK (email = lower(email)),
  phone text NOT NULL,
  password_hash text NOT NULL,
  country text NOT NULL,
  state text NOT NULL,
  city text NOT NULL,
  address text NOT NULL,
  image text NOT NULL DEFAULT 'null',
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  time_zone text NOT NULL,
  disabled_at timestamptz,
  -- Access tokens issued before this time are invalid.
  access_cut_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX users_admins ON users (id) WHERE role = 'Admin' AND disabled_at IS NULL;
CREATE INDEX users_access_cut_at ON users (access_cut_at) WHERE access_cut_at IS NOT NULL;
CREATE INDEX users_created_at ON users (created_at);

-- A login and its refreshes: a family of refresh tokens that end together.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sessions_live ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_ended_at ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- SHA-256 of each token of a family. Used tokens stay as long as the family, to detect reuse of a stolen one.
CREATE TABLE refresh_tokens (
  hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX refresh_tokens_session_id ON refresh_tokens (session_id);

-- SHA-256 of each emailed token that has not been used yet.
CREATE TABLE mailed_tokens (
  hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('password', 'email')),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  new_email text CHECK ((purpose = 'email') = (new_email IS NOT NULL)),
  expires_at timestamptz NOT NULL
);
CREATE INDEX mailed_tokens_user_id ON mailed_tokens (user_id);
CREATE INDEX mailed_tokens_expires_at ON mailed_tokens (expires_at);

-- The schema that rate-limiter-flexible expects; `expire` is in epoch milliseconds. Unlogged, so that counting an
-- attempt does not wait for the disk; a server crash loses the counters, which cover 15 minutes to an hour.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire ON rate_limits (expire);
