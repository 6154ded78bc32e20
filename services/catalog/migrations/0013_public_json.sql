-- A tool's public JSON, written whenever the tool or its owner changes, so that a list only concatenates strings.
-- Triggers write it, so that replicas of the previous version maintain it too. The distance and the category are
-- added on reading: renaming a category would otherwise rewrite all of its tools.
ALTER TABLE tools ADD COLUMN public_json text;

-- The single definition of a tool's JSON. `is_private`: with the fields for its owner and admins.
CREATE FUNCTION tool_json(t tools, o owners, is_private boolean) RETURNS text LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT row_to_json(tool)::text FROM (SELECT
    t.id, t.name, t.description, (t.price_cents / 100.0)::float8 AS price, t.rental_circle,
    t.status AS item_status,
    -- Same as `tools.rating`, a generated column that is not computed yet in a BEFORE trigger.
    CASE WHEN t.rating_count = 0 THEN 0 ELSE round(t.rating_sum::numeric / t.rating_count, 2) END::float8 AS rating,
    t.rating_count AS "reviewCount", t.units AS quantity,
    t.category_id AS "categoryId", t.owner_id AS "userId",
    json_build_object(
      'id', o.id, 'first_name', o.first_name, 'last_name', o.last_name, 'country', o.country,
      'state', o.state, 'city', o.city, 'address', CASE WHEN is_private THEN o.address END,
      'emailVerified', o.email_verified
    ) AS "user",
    coalesce(t.cover_image, 'null') AS cover_image, coalesce(t.cover_image, 'null') AS image,
    coalesce(t.image1, 'null') AS image1, coalesce(t.image2, 'null') AS image2,
    coalesce(t.image3, 'null') AS image3, coalesce(t.image4, 'null') AS image4,
    o.time_zone AS "timeZone",
    CASE WHEN t.pickup_lat IS NULL THEN o.place_accuracy ELSE 'area' END AS "placeAccuracy",
    CASE WHEN is_private AND t.pickup_lat IS NOT NULL
      THEN json_build_object('lat', t.pickup_lat, 'lng', t.pickup_lng, 'zip', coalesce(t.pickup_zip, ''))
    END AS pickup,
    to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
  ) tool;
END;

CREATE FUNCTION write_public_json() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.public_json := (SELECT tool_json(NEW, o, false) FROM owners o WHERE o.id = NEW.owner_id);
  RETURN NEW;
END $$;
-- On any change, so that no column can be missed. The tool's row is locked by then, also by `write_tools_of_owner`,
-- so the later of two concurrent changes sees the earlier one.
CREATE TRIGGER write_public_json BEFORE INSERT OR UPDATE ON tools
  FOR EACH ROW EXECUTE FUNCTION write_public_json();

CREATE FUNCTION write_tools_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tools SET public_json = NULL WHERE owner_id = NEW.id AND removed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER write_tools_of_owner AFTER UPDATE ON owners
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION write_tools_of_owner();

-- Fills the JSON of existing tools; the next file calls it.
CREATE PROCEDURE fill_public_json() LANGUAGE plpgsql AS $$
DECLARE
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    -- Skips locked tools, so that neither transaction waits for the other.
    batch := ARRAY(SELECT id FROM tools WHERE id > last AND public_json IS NULL
                   ORDER BY id LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED);
    UPDATE tools SET public_json = NULL WHERE id = ANY (batch);
    COMMIT;
    IF cardinality(batch) > 0 THEN
      last := batch[cardinality(batch)];
    ELSE
      EXIT WHEN NOT EXISTS (SELECT FROM tools WHERE public_json IS NULL);
      last := '00000000-0000-0000-0000-000000000000';
      PERFORM pg_sleep(0.1);
    END IF;
  END LOOP;
END $$;
