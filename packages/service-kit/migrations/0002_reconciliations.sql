-- How far this service has reconciled another service's list, and when the next run is due.
CREATE TABLE reconciliations (
  name text PRIMARY KEY,
  -- Claiming a run moves this ahead, so that only one replica runs it and another takes over if it dies.
  next_at timestamptz NOT NULL,
  -- All changes before this instant have been compared.
  reached_at timestamptz NOT NULL,
  -- Where an unfinished walk continues.
  cursor text
);
