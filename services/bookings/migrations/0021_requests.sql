-- A request is a draft whose card is authorized, and stays `held` in this column: so it keeps its units and its code by the
-- constraints there are, which on a big table could not be made anew without stopping everybody. `answer_by` says that it is
-- one. A replica of the version before takes it for a draft, which it shows nobody.
ALTER TABLE bookings
  ADD COLUMN answer_by timestamptz,
  ADD COLUMN accepted_at timestamptz,
  ADD COLUMN request_note text NOT NULL DEFAULT '',
  DROP CONSTRAINT bookings_status_check,
  ADD CONSTRAINT bookings_status_check CHECK (status IN (
    'held', 'confirmed', 'returned', 'cancelled', 'expired', 'declined', 'withdrawn', 'lapsed', 'failed')) NOT VALID,
  DROP CONSTRAINT bookings_check2,
  ADD CONSTRAINT bookings_seen_by_parties
    CHECK (status IN ('held', 'expired') OR booked_at IS NOT NULL OR answer_by IS NOT NULL) NOT VALID;

-- A hold on request is not `live` once its card is authorized, so that nobody's job expires it.
ALTER TABLE holds
  ADD COLUMN on_request boolean NOT NULL DEFAULT false,
  ADD COLUMN authorized_by uuid,
  DROP CONSTRAINT holds_status_check,
  ADD CONSTRAINT holds_status_check CHECK (status IN ('live', 'requested', 'paid', 'ended')) NOT VALID;
