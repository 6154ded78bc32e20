import { type EventData, metersPerMile, mostMilesFromCity } from '@lendtools/contracts';
import type { Pool, Transaction } from '@lendtools/service-kit';

type Profile = EventData<'AccountUpdated'>;

export const findOwner = async (
  pool: Pool,
  id: string,
): Promise<{ emailVerified: boolean; city: string } | undefined> => {
  const { rows } = await pool.query<{ emailVerified: boolean; city: string }>(
    `SELECT email_verified AS "emailVerified", city FROM owners WHERE id = $1 AND profile_version > 0`,
    [id],
  );
  return rows[0];
};

/** Stores a profile unless a later version is stored. Returns whether the profile was stored. */
export const upsertOwner = async (
  tx: Transaction,
  profile: Profile,
  version: number,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `INSERT INTO owners AS o (id, profile_version, first_name, last_name, country, state, city,
       address, lat, lng, time_zone, place_accuracy, email_verified)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (id) DO UPDATE SET profile_version = excluded.profile_version,
       first_name = excluded.first_name, last_name = excluded.last_name,
       country = excluded.country, state = excluded.state, city = excluded.city,
       address = excluded.address, lat = excluded.lat, lng = excluded.lng,
       time_zone = excluded.time_zone, place_accuracy = excluded.place_accuracy,
       email_verified = excluded.email_verified
     WHERE o.profile_version < excluded.profile_version`,
    [
      profile.userId,
      version,
      profile.firstName,
      profile.lastName,
      profile.country,
      profile.state,
      profile.city,
      profile.address,
      profile.lat,
      profile.lng,
      profile.timeZone,
      profile.placeAccuracy,
      profile.emailVerified,
    ],
  );
  return rowCount !== 0;
};

/** Moves an owner's tools to the owner's place, except tools whose own pick-up place is near that place. @returns the moved ids */
export const moveToolsToOwner = async (tx: Transaction, ownerId: string): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE tools t SET place = ll_to_earth(o.lat, o.lng), version = version + 1,
       pickup_lat = NULL, pickup_lng = NULL, pickup_zip = NULL
     FROM owners o
     WHERE o.id = $1 AND t.owner_id = o.id AND t.removed_at IS NULL
       AND CASE WHEN t.pickup_lat IS NULL THEN t.place <> ll_to_earth(o.lat, o.lng)
         ELSE earth_distance(t.place, ll_to_earth(o.lat, o.lng)) > $2 END
     RETURNING t.id`,
    [ownerId, mostMilesFromCity * metersPerMile],
  );
  return rows.map(({ id }) => id);
};

/** Stores whether an account is disabled, unless a later version is stored. Returns whether it was stored. */
export const storeOwnerDisabled = async (
  tx: Transaction,
  owner: { id: string; disabled: boolean; version: number },
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `INSERT INTO owners AS o (id, disabled, disabled_version) VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET disabled = excluded.disabled,
       disabled_version = excluded.disabled_version
     WHERE o.disabled_version < excluded.disabled_version`,
    [owner.id, owner.disabled, owner.version],
  );
  return rowCount !== 0;
};

/** Hides or shows an owner's tools. Returns the ids of the changed tools. */
export const hideToolsOfOwner = async (
  tx: Transaction,
  ownerId: string,
  hidden: boolean,
): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE tools SET owner_disabled = $2, version = version + 1
     WHERE owner_id = $1 AND owner_disabled <> $2 AND removed_at IS NULL RETURNING id`,
    [ownerId, hidden],
  );
  return rows.map(({ id }) => id);
};

/** Returns an owner's rounded place. */
export const readOwnerPlace = async (
  pool: Pool,
  id: string,
): Promise<{ lat: number; lng: number; city: string } | undefined> => {
  const { rows } = await pool.query('SELECT lat, lng, city FROM owners WHERE id = $1', [id]);
  return rows[0];
};

/** Removes an owner's tools and erases what the owner wrote and showed, also of tools that were removed before. @returns the tools removed now */
export const eraseToolsOfOwner = async (
  tx: Transaction,
  ownerId: string,
): Promise<{ id: string; version: number }[]> => {
  // A tool that is being listed either commits first and is erased, or waits for the owner's row in `insertTool`.
  await tx.query('SELECT FROM owners WHERE id = $1 FOR UPDATE', [ownerId]);
  // Two statements: with OR, PostgreSQL scans the table.
  await tx.query('DELETE FROM saved_tools WHERE user_id = $1', [ownerId]);
  await tx.query(
    'DELETE FROM saved_tools WHERE tool_id IN (SELECT id FROM tools WHERE owner_id = $1)',
    [ownerId],
  );
  await tx.query(
    `UPDATE tool_bookings SET cover_image = 'null' WHERE tool_id IN (SELECT id FROM tools WHERE owner_id = $1)`,
    [ownerId],
  );
  const { rows } = await tx.query<{ id: string; version: number; isNew: boolean }>(
    `UPDATE tools SET removed_at = coalesce(removed_at, now()), version = version + 1, description = '', terms = NULL,
       cover_image = NULL, image1 = NULL, image2 = NULL, image3 = NULL, image4 = NULL,
       pickup_lat = NULL, pickup_lng = NULL, pickup_zip = NULL, place = ll_to_earth(0, 0)
     WHERE owner_id = $1 RETURNING id, version, old.removed_at IS NULL AS "isNew"`,
    [ownerId],
  );
  return rows.filter(({ isNew }) => isNew);
};
