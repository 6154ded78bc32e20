-- The public JSON has the owner's last initial: anyone can read it, and only a booking needs the name.
CREATE OR REPLACE FUNCTION tool_json(t tools, o owners, is_private boolean) RETURNS text LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT row_to_json(tool)::text FROM (SELECT
    t.id, t.name, t.description, (t.price_cents / 100.0)::float8 AS price, t.rental_circle,
    t.status AS item_status,
    -- Same as `tools.rating`, a generated column that is not computed yet in a BEFORE trigger.
    CASE WHEN t.rating_count = 0 THEN 0 ELSE round(t.rating_sum::numeric / t.rating_count, 2) END::float8 AS rating,
    t.rating_count AS "reviewCount", t.units AS quantity,
    t.category_id AS "categoryId", t.owner_id AS "userId",
    json_build_object(
      'id', o.id, 'first_name', o.first_name,
      'last_name', CASE WHEN is_private OR o.last_name = '' THEN o.last_name ELSE left(o.last_name, 1) || '.' END,
      'country', o.country,
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
    CASE WHEN is_private THEN t.terms ELSE t.terms - 'blocked' END AS terms,
    to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
  ) tool;
END;
