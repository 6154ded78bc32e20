-- An item of the walk failed, so the next walk starts at the same place.
ALTER TABLE reconciliations ADD COLUMN has_failed boolean NOT NULL DEFAULT false;
