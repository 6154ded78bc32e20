-- The reply to a request with an idempotency key, stored in the same transaction as its effect.
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  reply jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, route, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- How much of each quota a user has used in the current window.
CREATE TABLE quotas (
  user_id uuid NOT NULL,
  kind text NOT NULL,
  used bigint NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind)
);
CREATE INDEX quotas_ends_at ON quotas (ends_at);

-- How far this service has reconciled another service's list, and when the next run is due.
CREATE TABLE reconciliations (
  name text PRIMARY KEY,
  -- Claiming a run moves this ahead, so that only one replica runs it and another takes over if it dies.
  next_at timestamptz NOT NULL,
  -- All changes before this instant have been compared.
  reached_at timestamptz NOT NULL,
  -- Where an unfinished walk continues.
  cursor text,
  -- An item of the walk failed, so the next walk starts at the same place.
  has_failed boolean NOT NULL DEFAULT false
);

-- When each periodic job of this service last finished a pass, on any replica.
CREATE TABLE jobs (
  name text PRIMARY KEY,
  every_seconds double precision NOT NULL,
  -- Until the first finished pass: when the job was first registered.
  completed_at timestamptz NOT NULL DEFAULT now()
);

-- Rows that a job failed to handle. The job skips a row until `retry_at`, so that it does not hold up the others.
CREATE TABLE failed_rows (
  job text NOT NULL,
  row_id text NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  retry_at timestamptz NOT NULL,
  error text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job, row_id)
);
