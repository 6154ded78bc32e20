-- The tools that a user has saved.
CREATE TABLE saved_tools (
  user_id uuid NOT NULL,
  tool_id uuid NOT NULL REFERENCES tools ON DELETE CASCADE,
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, tool_id)
);
CREATE INDEX saved_tools_by_tool ON saved_tools (tool_id);
