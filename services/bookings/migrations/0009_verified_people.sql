-- Copied from accounts. Events of older releases leave it out.
ALTER TABLE people ADD COLUMN email_verified boolean NOT NULL DEFAULT false;
