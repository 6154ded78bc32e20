-- When each periodic job of this service last finished a pass, on whichever replica.
CREATE TABLE jobs (
  name text PRIMARY KEY,
  every_seconds double precision NOT NULL,
  -- The job's first start, until it has finished a pass.
  completed_at timestamptz NOT NULL DEFAULT now()
);

-- Rows that a job could not handle. It leaves each alone until `retry_at`, so that they don't keep it from the others.
CREATE TABLE failed_rows (
  job text NOT NULL,
  row_id text NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  retry_at timestamptz NOT NULL,
  error text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job, row_id)
);
