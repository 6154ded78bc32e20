-- For the bookings that were completed before 0014.
DO $$
DECLARE
  booking record;
BEGIN
  FOR booking IN SELECT id, completed_at FROM bookings WHERE status = 'completed' AND completed_at > now() - interval '14 days' LOOP
    PERFORM schedule_reviews(booking.id, booking.completed_at);
  END LOOP;
END $$;
