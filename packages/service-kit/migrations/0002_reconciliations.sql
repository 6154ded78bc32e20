-- How far this service has compared another's list with what it has heard, and when it goes on.
CREATE TABLE reconciliations (
  name text PRIMARY KEY,
  -- Claiming a run moves it on, so that one replica has it, and another takes over from one that died.
  next_at timestamptz NOT NULL,
  -- Everything that happened before is compared.
  reached_at timestamptz NOT NULL,
  -- Where a walk that ran out of time goes on.
  cursor text
);
