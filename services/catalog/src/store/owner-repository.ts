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
