-- The operator's commission when the booking was held, as `{"percent": 10, "fixedCents": 0}`. Null if the operator had set
-- none, and for bookings that were held before this version.
ALTER TABLE bookings ADD COLUMN commission jsonb;
