-- For the bookings that were completed before 0014.
SELECT schedule_reviews(id, completed_at)
FROM bookings WHERE status = 'completed' AND completed_at > now() - interval '14 days';
