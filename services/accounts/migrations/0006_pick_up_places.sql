-- A pick-up place more exact than the city. `lat` and `lng` are the city's center, or the center of a half-mile
-- square around the place: nothing more exact is stored. A constant default rewrites no rows.
ALTER TABLE users
  ADD COLUMN zip text NOT NULL DEFAULT '',
  ADD COLUMN place_accuracy text NOT NULL DEFAULT 'city' CHECK (place_accuracy IN ('city', 'area'));
