-- In a file of its own, because it reads the whole table: an ALTER TABLE in the same transaction would keep the table locked.
UPDATE payments SET held_cents = disputed_cents WHERE dispute = 'open' AND held_cents = 0;
