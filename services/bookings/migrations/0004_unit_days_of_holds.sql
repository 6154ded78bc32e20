-- Units times days of a hold's lines. Limits how much one person may hold without paying.
ALTER TABLE holds ADD COLUMN unit_days integer NOT NULL DEFAULT 0;
