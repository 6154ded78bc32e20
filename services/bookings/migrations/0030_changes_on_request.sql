-- A change request is `open` with `answer_by`, the deadline of the owner's answer. Older replicas end it like a change whose hold is
-- over, so the renter has to request it again.
ALTER TABLE booking_changes
  ADD COLUMN asked_at timestamptz,
  ADD COLUMN answer_by timestamptz,
  ADD COLUMN accepted_at timestamptz,
  -- How the request ended; null if it ended with its booking, or if the change was not a request.
  ADD COLUMN outcome text,
  ADD COLUMN note text NOT NULL DEFAULT '';
