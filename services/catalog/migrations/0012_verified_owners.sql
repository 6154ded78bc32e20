-- From accounts' events; those of the previous release do not contain it.
ALTER TABLE owners ADD COLUMN email_verified boolean NOT NULL DEFAULT false;
