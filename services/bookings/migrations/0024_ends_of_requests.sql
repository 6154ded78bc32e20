-- Who ended a request; null if an older replica ended it.
ALTER TABLE bookings ADD COLUMN request_ended_by text;
-- Disabled accounts, copied from accounts: their cards are not authorized. Not in `people`, because either event may come first.
CREATE TABLE disabled_people (
  id uuid PRIMARY KEY,
  version bigint NOT NULL,
  disabled boolean NOT NULL
);
