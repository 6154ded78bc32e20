-- Reviews can be written for 14 days from the completion, or from this time if it is later (docs/adr/0025). So bookings that were
-- completed before this column existed can still be reviewed.
ALTER TABLE bookings ADD COLUMN reviewable_from timestamptz NOT NULL DEFAULT now();
