-- When all taken dates of a tool were published for the services that copy them. Null for existing tools, and to publish them again
-- (docs/operations.md).
ALTER TABLE tools ADD COLUMN told_taken_at timestamptz;
ALTER TABLE tools ALTER COLUMN told_taken_at SET DEFAULT now();
