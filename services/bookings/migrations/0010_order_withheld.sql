-- Fires the triggers of the previous file for what replicas of 1.0 have withheld.
UPDATE bookings SET withheld_cents = withheld_cents WHERE withheld_cents > 0;
UPDATE payments p SET unassigned_cents = 0 WHERE unassigned_cents = 0
  AND amount_cents > rejected_cents + (SELECT coalesce(sum(amount_cents), 0) FROM allocations WHERE payment_id = p.id);
