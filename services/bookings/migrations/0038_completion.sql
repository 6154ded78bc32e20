-- A booking is completed some time after its return was confirmed or, if it was not, after its end. Older replicas show no status
-- and no actions for such a booking.
ALTER TABLE bookings
  ADD COLUMN completed_at timestamptz,
  DROP CONSTRAINT bookings_status_check,
  ADD CONSTRAINT bookings_status_check CHECK (status IN (
    'held', 'confirmed', 'returned', 'completed', 'cancelled', 'expired', 'declined', 'withdrawn', 'lapsed', 'failed')) NOT VALID;
