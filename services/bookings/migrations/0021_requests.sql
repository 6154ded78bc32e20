-- A request is a draft whose card is authorized. Its `status` stays `held`, so that the existing constraints keep its units and its
-- code: replacing them would block a large table. `answer_by` marks a request. Older replicas treat it as a draft and show it to
-- nobody.
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

-- Once the card is authorized, a hold on request is `requested` rather than `live`, so that no job expires it.
ALTER TABLE holds
  ADD COLUMN on_request boolean NOT NULL DEFAULT false,
  ADD COLUMN authorized_by uuid,
  DROP CONSTRAINT holds_status_check,
  ADD CONSTRAINT holds_status_check CHECK (status IN ('live', 'requested', 'paid', 'ended')) NOT VALID;
