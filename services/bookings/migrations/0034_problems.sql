-- Problems with a booking, which admins settle. `kind` has no CHECK, so that a later version can add one while this version
-- still runs. `reported_by` is null where the system opened it.
CREATE TABLE booking_problems (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL REFERENCES bookings,
  kind text NOT NULL,
  reported_by uuid,
  text text NOT NULL DEFAULT '',
  opened_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  settled_by uuid,
  note text NOT NULL DEFAULT '',
  CHECK ((settled_at IS NULL) = (settled_by IS NULL))
);
-- Makes a repeated report a no-op.
CREATE UNIQUE INDEX booking_problems_open_once ON booking_problems (booking_id, kind, reported_by) NULLS NOT DISTINCT
  WHERE settled_at IS NULL;
CREATE INDEX booking_problems_of_booking ON booking_problems (booking_id, id);
-- For the two lists of admins.
CREATE INDEX booking_problems_open ON booking_problems (id) WHERE settled_at IS NULL;
CREATE INDEX booking_problems_settled ON booking_problems (id) WHERE settled_at IS NOT NULL;
