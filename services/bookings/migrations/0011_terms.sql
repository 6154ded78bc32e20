-- An owner's terms as of the tool's `version`, and a booking's discount by them. Older replicas write neither and charge the full
-- price, which is acceptable.
ALTER TABLE tools ADD COLUMN terms jsonb;
ALTER TABLE bookings ADD COLUMN discount_cents integer NOT NULL DEFAULT 0 CHECK (discount_cents >= 0);
ALTER TABLE bookings DROP CONSTRAINT bookings_check;
ALTER TABLE bookings ADD CONSTRAINT bookings_total_cents
  CHECK (total_cents = price_cents * period * quantity - discount_cents) NOT VALID;
