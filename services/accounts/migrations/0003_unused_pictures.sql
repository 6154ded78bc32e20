-- Stored pictures that nothing refers to, and since when.
CREATE TABLE unused_pictures (
  path text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);
