-- In a file of its own: this reads the whole table, which an ALTER TABLE would lock meanwhile.
UPDATE payments SET held_cents = disputed_cents WHERE dispute = 'open' AND held_cents = 0;
