-- Counts edits of what an owner enters, unlike `version`, which bookings and reviews change too. A trigger counts,
-- because replicas of the previous version do not know the column. A constant default rewrites no rows.
ALTER TABLE tools ADD COLUMN revision integer NOT NULL DEFAULT 1;

CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER count_revision BEFORE UPDATE OF name, description, price_cents, rental_circle, category_id, units, terms,
    cover_image, image1, image2, image3, image4, pickup_lat, pickup_lng, pickup_zip ON tools
  FOR EACH ROW WHEN (
    (OLD.name, OLD.description, OLD.price_cents, OLD.rental_circle, OLD.category_id, OLD.units, OLD.terms)
      IS DISTINCT FROM
    (NEW.name, NEW.description, NEW.price_cents, NEW.rental_circle, NEW.category_id, NEW.units, NEW.terms)
    OR (OLD.cover_image, OLD.image1, OLD.image2, OLD.image3, OLD.image4, OLD.pickup_lat, OLD.pickup_lng, OLD.pickup_zip)
      IS DISTINCT FROM
    (NEW.cover_image, NEW.image1, NEW.image2, NEW.image3, NEW.image4, NEW.pickup_lat, NEW.pickup_lng, NEW.pickup_zip)
  ) EXECUTE FUNCTION count_revision();
