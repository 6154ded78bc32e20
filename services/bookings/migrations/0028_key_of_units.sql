-- By the index of the file before: nothing is read.
ALTER TABLE booking_units
  DROP CONSTRAINT booking_units_pkey,
  ADD CONSTRAINT booking_units_pkey PRIMARY KEY USING INDEX booking_units_of_booking;
