-- Counts changes; the events about a category carry it.
ALTER TABLE categories ADD COLUMN version integer NOT NULL DEFAULT 1;
