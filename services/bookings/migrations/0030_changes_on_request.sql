-- Of a change that the owner is asked about, `open` with `answer_by`: until when they may answer. A replica of the version before ends
-- such a change as one whose hold is over, so that it has to be asked for again.
ALTER TABLE booking_changes
  ADD COLUMN asked_at timestamptz,
  ADD COLUMN answer_by timestamptz,
  ADD COLUMN accepted_at timestamptz,
  -- How it ended; null where it ended with its booking, or was never asked about.
  ADD COLUMN outcome text,
  ADD COLUMN note text NOT NULL DEFAULT '';
