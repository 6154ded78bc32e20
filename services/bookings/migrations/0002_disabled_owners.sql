-- The tools of a disabled owner can't be booked: the owner can't log in to hand them over.
ALTER TABLE tools ADD COLUMN owner_disabled boolean NOT NULL DEFAULT false;
