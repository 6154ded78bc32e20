-- In a file of its own, because it reads whole tables: an ALTER TABLE in the same transaction would keep them locked. A cancellation by an
-- owner, an admin or the system (stored as `admin`) refunds everything, so what is not refunded was withheld. For a renter's own
-- cancellation it can't be computed.
UPDATE bookings b SET withheld_cents = missing.cents
FROM (
  SELECT d.booking_id, sum(d.amount_cents - d.refunded_cents)::int AS cents
  FROM draws d JOIN payments p ON p.id = d.payment_id
  WHERE p.outside_cents + p.disputed_cents > 0
  GROUP BY d.booking_id) missing
WHERE b.id = missing.booking_id AND b.status = 'cancelled' AND b.cancelled_by IN ('owner', 'admin') AND missing.cents > 0;
