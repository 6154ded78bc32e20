-- How many cards were declined for the payment's intent.
ALTER TABLE payments ADD COLUMN declines integer NOT NULL DEFAULT 0;
