import type { Identity } from '@lendtools/service-kit';

/** Who looks at a tool: the owner's street address is for the owner and for admins alone. */
export interface Viewer {
  id: string | null;
  isAdmin: boolean;
}

export const viewerOf = (user: Identity | null): Viewer => ({
  id: user?.userId ?? null,
  isAdmin: user?.role === 'Admin',
});

/**
 * A tool as the API documents it, written by PostgreSQL: JSON built there is 1.5 times as fast as rows built here.
 * Expects `t` (tools), `c` (categories) and `o` (owners); `miles` is an expression, the others are placeholders.
 */
export const toolJson = (options: { viewerId: string; isAdmin: string; miles: string }): string => `
  (SELECT row_to_json(tool) FROM (SELECT
    t.id, t.name, t.description, (t.price_cents / 100.0)::float8 AS price, t.rental_circle,
    t.status AS item_status, t.rating, t.rating_count AS "reviewCount", t.units AS quantity,
    t.category_id AS "categoryId", json_build_object('id', c.id, 'name', c.name) AS category,
    t.owner_id AS "userId",
    json_build_object(
      'id', o.id, 'first_name', o.first_name, 'last_name', o.last_name, 'country', o.country,
      'state', o.state, 'city', o.city, 'address',
      CASE WHEN ${options.isAdmin}::boolean OR o.id = ${options.viewerId}::uuid THEN o.address END,
      'emailVerified', o.email_verified
    ) AS "user",
    coalesce(t.cover_image, 'null') AS cover_image, coalesce(t.cover_image, 'null') AS image,
    coalesce(t.image1, 'null') AS image1, coalesce(t.image2, 'null') AS image2,
    coalesce(t.image3, 'null') AS image3, coalesce(t.image4, 'null') AS image4,
    o.time_zone AS "timeZone",
    CASE WHEN t.pickup_lat IS NULL THEN o.place_accuracy ELSE 'area' END AS "placeAccuracy",
    CASE WHEN t.pickup_lat IS NOT NULL
        AND (${options.isAdmin}::boolean OR o.id = ${options.viewerId}::uuid)
      THEN json_build_object('lat', t.pickup_lat, 'lng', t.pickup_lng, 'zip', coalesce(t.pickup_zip, ''))
    END AS pickup, ${options.miles} AS distance,
    to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
  ) tool)::text`;

export const toolJoins = `
  JOIN categories c ON c.id = t.category_id
  JOIN owners o ON o.id = t.owner_id`;
