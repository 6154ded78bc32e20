-- A booking is completed some time after its return was confirmed or, where nobody confirmed it, after its end. A replica of
-- the previous version shows no status for such a booking, and offers nothing to do with it.
ALTER TABLE bookings
  ADD COLUMN completed_at timestamptz,
  DROP CONSTRAINT bookings_status_check,
  ADD CONSTRAINT bookings_status_check CHECK (status IN (
    'held', 'confirmed', 'returned', 'completed', 'cancelled', 'expired', 'declined', 'withdrawn', 'lapsed', 'failed')) NOT VALID;
