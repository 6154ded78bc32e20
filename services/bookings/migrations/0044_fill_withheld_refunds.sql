-- In a file of its own: this reads whole tables, which an ALTER TABLE would lock meanwhile. A cancellation by an owner, an admin or the
-- system refunds everything, so what is not refunded was withheld. Which share a renter's own cancellation withheld can't be told.
UPDATE bookings b SET withheld_cents = missing.cents
FROM (
  SELECT d.booking_id, sum(d.amount_cents - d.refunded_cents)::int AS cents
  FROM draws d JOIN payments p ON p.id = d.payment_id
  WHERE p.outside_cents + p.disputed_cents > 0
  GROUP BY d.booking_id) missing
WHERE b.id = missing.booking_id AND b.status = 'cancelled' AND b.cancelled_by IN ('owner', 'admin') AND missing.cents > 0;
