-- Who ended a request; null of those that a replica of the version before ended.
ALTER TABLE bookings ADD COLUMN request_ended_by text;
-- Whose card is not authorized for a request, as accounts says; apart from `people`, since either event may come first.
CREATE TABLE disabled_people (
  id uuid PRIMARY KEY,
  version bigint NOT NULL,
  disabled boolean NOT NULL
);
