-- An owner's terms, as of `version` of the tool, and what they took off a booking's price. A replica of the version before
-- writes neither, and sells at the full price, which is right as well.
ALTER TABLE tools ADD COLUMN terms jsonb;
ALTER TABLE bookings ADD COLUMN discount_cents integer NOT NULL DEFAULT 0 CHECK (discount_cents >= 0);
ALTER TABLE bookings DROP CONSTRAINT bookings_check;
ALTER TABLE bookings ADD CONSTRAINT bookings_total_cents
  CHECK (total_cents = price_cents * period * quantity - discount_cents) NOT VALID;
