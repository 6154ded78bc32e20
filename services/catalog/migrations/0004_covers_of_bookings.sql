-- The picture that a booking's parties are shown for ever, whatever becomes of the tool's.
ALTER TABLE tool_bookings ADD COLUMN cover_image text;

-- Stored pictures that were found to be shown to nobody, and since when.
CREATE TABLE unused_pictures (
  path text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);
