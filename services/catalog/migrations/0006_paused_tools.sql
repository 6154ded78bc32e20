-- When the owner paused the tool. The next listing ends the pause by its later time, so a replica that does not know
-- this column ends it too.
ALTER TABLE tools ADD COLUMN paused_at timestamptz;
