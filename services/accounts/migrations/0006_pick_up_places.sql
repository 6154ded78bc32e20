-- Where a person's tools are picked up, better than by the city. `lat` and `lng` are of the city's middle, or of the middle
-- of the square of half a mile that the place is in: nothing more exact is kept. Defaults that are constant rewrite no rows.
ALTER TABLE users
  ADD COLUMN zip text NOT NULL DEFAULT '',
  ADD COLUMN place_accuracy text NOT NULL DEFAULT 'city' CHECK (place_accuracy IN ('city', 'area'));
