-- Nobody can pay for a tool whose owner can't log in to hand it over.
ALTER TABLE tools ADD COLUMN owner_disabled boolean NOT NULL DEFAULT false;
