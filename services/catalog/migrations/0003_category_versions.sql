-- The events about a category say how often it has changed.
ALTER TABLE categories ADD COLUMN version integer NOT NULL DEFAULT 1;
