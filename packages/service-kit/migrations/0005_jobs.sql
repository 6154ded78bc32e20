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
