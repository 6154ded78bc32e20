-- Units times days of a hold's lines: what one person may keep from the others without paying is bounded.
ALTER TABLE holds ADD COLUMN unit_days integer NOT NULL DEFAULT 0;
