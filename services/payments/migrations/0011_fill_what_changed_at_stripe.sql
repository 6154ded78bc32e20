-- A file of its own: these updates read whole tables, and must not run while an ALTER TABLE holds its lock.
UPDATE refunds SET withdrawn_cents = amount_cents WHERE status = 'voided' AND withdrawn_cents = 0;
UPDATE payments SET stripe_changed_at = now()
WHERE stripe_changed_at IS NULL AND (outside_cents + held_cents + lost_cents > 0 OR dispute IS NOT NULL);
