-- In a file of their own: these read whole tables, which an ALTER TABLE would lock meanwhile.
UPDATE refunds SET withdrawn_cents = amount_cents WHERE status = 'voided' AND withdrawn_cents = 0;
UPDATE payments SET stripe_changed_at = now()
WHERE stripe_changed_at IS NULL AND (outside_cents + held_cents + lost_cents > 0 OR dispute IS NOT NULL);
