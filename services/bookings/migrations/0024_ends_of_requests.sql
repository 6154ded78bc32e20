-- Who ended a request; null if an older replica ended it.
ALTER TABLE bookings ADD COLUMN request_ended_by text;
-- Which accounts are disabled, copied from accounts: their cards are not authorized. A table of its own, because
-- `AccountDisabled` may arrive before the event that adds the row to `people`.
CREATE TABLE disabled_people (
  id uuid PRIMARY KEY,
  version bigint NOT NULL,
  disabled boolean NOT NULL
);
