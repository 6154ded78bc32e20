-- Uses the index of the previous migration, so it does not read the table.
ALTER TABLE booking_units
  DROP CONSTRAINT booking_units_pkey,
  ADD CONSTRAINT booking_units_pkey PRIMARY KEY USING INDEX booking_units_of_booking;
