-- When the owner took the tool off offer. That ends with the next listing, which is later: so also with one by a replica
-- that does not know this column yet.
ALTER TABLE tools ADD COLUMN paused_at timestamptz;
