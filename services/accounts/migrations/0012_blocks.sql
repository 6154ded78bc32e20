-- Whom users have blocked. The row of a pair stays when it is unblocked: its version counts the changes, for the events.
CREATE TABLE blocks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  blocker_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  blocked_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  version integer NOT NULL DEFAULT 1,
  -- Null while unblocked.
  blocked_at timestamptz DEFAULT now(),
  UNIQUE (blocker_id, blocked_id)
);
CREATE INDEX blocks_blocked_id ON blocks (blocked_id);
