-- Seeds the columns with what 1.0 computed; payments replaces it with its first PaymentSharesChanged.
UPDATE allocations a SET
  outside_cents = b.gone - b.lost,
  lost_cents = b.lost,
  held_cents = b.held
FROM (
  SELECT payment_id, booking_id, gone, held, CASE WHEN has_loss THEN greatest(0, gone - outside_cents) ELSE 0 END AS lost
  FROM (
    SELECT v.payment_id, v.booking_id, v.outside_cents, p.disputed_cents > p.held_cents AS has_loss,
      greatest(0, v.amount_cents - v.refunded_cents - v.returnable_cents) AS gone, v.returnable_cents - v.left_cents AS held
    FROM allocation_balances v JOIN payments p ON p.id = v.payment_id
    WHERE p.outside_cents > 0 OR p.disputed_cents > 0) computed) b
WHERE a.payment_id = b.payment_id AND a.booking_id = b.booking_id AND b.gone + b.held > 0;
ALTER TABLE allocations VALIDATE CONSTRAINT allocations_gone_check;
