-- The picture that the booking's parties see permanently, whatever happens to the tool.
ALTER TABLE tool_bookings ADD COLUMN cover_image text;

-- Stored pictures that nothing refers to, and since when.
CREATE TABLE unused_pictures (
  path text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);
