-- When LendTools hid the review, as of the event with this version. A hidden review is not part of `tool_ratings`.
ALTER TABLE reviews ADD COLUMN hidden_at timestamptz, ADD COLUMN hidden_version integer NOT NULL DEFAULT 0;
