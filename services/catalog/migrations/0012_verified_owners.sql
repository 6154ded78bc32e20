-- As accounts says; an event of the release before says nothing of it.
ALTER TABLE owners ADD COLUMN email_verified boolean NOT NULL DEFAULT false;
