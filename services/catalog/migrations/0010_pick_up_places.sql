-- A tool's pick-up place, if it differs from its owner's place. Rounded to half a mile; nothing more exact is stored.
ALTER TABLE tools ADD COLUMN pickup_lat double precision, ADD COLUMN pickup_lng double precision,
  ADD COLUMN pickup_zip text;
-- Whether an owner's `lat` and `lng` are only the city's.
ALTER TABLE owners ADD COLUMN place_accuracy text NOT NULL DEFAULT 'city';

-- A trigger, because a replica of the previous version would move the tool when its owner moves.
CREATE FUNCTION keep_pick_up_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.place := ll_to_earth(NEW.pickup_lat, NEW.pickup_lng);
  RETURN NEW;
END $$;
CREATE TRIGGER keep_pick_up_place BEFORE INSERT OR UPDATE OF place, pickup_lat, pickup_lng ON tools
  FOR EACH ROW WHEN (NEW.pickup_lat IS NOT NULL) EXECUTE FUNCTION keep_pick_up_place();
