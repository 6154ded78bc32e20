-- When those who keep a picture of a tool's bookings were told of all of them. Null for the tools of before; with null
-- anew, they are told again (docs/operations.md).
ALTER TABLE tools ADD COLUMN told_taken_at timestamptz;
ALTER TABLE tools ALTER COLUMN told_taken_at SET DEFAULT now();
