import type { EventData, Terms } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { actAsAdmin, type Db, type Pool, type Transaction } from '@lendtools/service-kit';
import { type ImageChanges, imageFields, type PickUp, type ToolFields } from '../domain/tool.ts';
import type { Listing, ToolStatus } from '../domain/tool-status.ts';
import { notBlockedSql } from './block-repository.ts';
import { statementValues } from './statement-values.ts';
import { isSignedIn, type StoredJson, toolJson, type Viewer, writeTool } from './tool-json.ts';

export interface StoredTool extends Listing {
  id: string;
  ownerId: string;
  version: number;
  revision: number;
  status: ToolStatus;
}

const storedTool = `
  id, owner_id AS "ownerId", version, revision, units, status, listed_at AS "listedAt",
  paused_at AS "pausedAt", coalesce((terms->>'staysListed')::boolean, false) AS "staysListed"`;

/** Reads a tool; undefined if it was removed. */
export const readTool = async (pool: Pool, id: string): Promise<StoredTool | undefined> => {
  const { rows } = await pool.query<StoredTool>(
    `SELECT ${storedTool} FROM tools WHERE id = $1 AND removed_at IS NULL`,
    [id],
  );
  return rows[0];
};

/** Locks a tool and reads it; undefined if it was removed. */
export const lockTool = async (tx: Transaction, id: string): Promise<StoredTool | undefined> => {
  const { rows } = await tx.query<StoredTool>(
    `SELECT ${storedTool} FROM tools WHERE id = $1 AND removed_at IS NULL FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** Whether others than the owner and admins can see a tool: its owner is not disabled, and LendTools did not hide it. */
export const isPublicSql = '(NOT t.owner_disabled AND t.hidden_reason IS NULL)';

/** Returns the tool's JSON for the viewer; undefined if the viewer cannot see it. */
export const readToolJson = async (
  db: Db,
  id: string,
  viewer: Viewer,
): Promise<string | undefined> => {
  const { values, value } = statementValues();
  const seen = isSignedIn(viewer)
    ? `(${isPublicSql} AND ${notBlockedSql(viewer, value)} OR t.owner_id = ${value(viewer.id)}::uuid OR ${value(viewer.isAdmin)}::boolean)`
    : isPublicSql;
  const { rows } = await db.query<StoredJson & { ownerId: string }>(
    `SELECT ${toolJson(viewer, value)}, t.owner_id AS "ownerId" FROM tools t
     WHERE t.id = ${value(id)} AND t.removed_at IS NULL AND ${seen}`,
    values,
  );
  const [tool] = rows;
  // The reply has the owner's full name and address.
  if (tool && viewer.isAdmin && tool.ownerId !== viewer.id) actAsAdmin();
  return tool && writeTool(tool);
};

/** Inserts a tool. Locks the owner's row, or a concurrent change of the owner's place would miss the tool. */
export const insertTool = async (
  tx: Transaction,
  tool: ToolFields & {
    id: string;
    ownerId: string;
    images: ImageChanges;
    pickUp: PickUp;
    now: Date;
  },
): Promise<void> => {
  const { images, pickUp } = tool;
  await tx.query(
    `WITH owner AS (SELECT * FROM owners WHERE id = $2 FOR SHARE)
     INSERT INTO tools (id, owner_id, category_id, name, description, price_cents,
       rental_circle, units, created_at, listed_at, cover_image, image1, image2, image3,
       image4, pickup_lat, pickup_lng, pickup_zip, terms, place, owner_disabled)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14,
       $15, $16, $17, $18, ll_to_earth(lat, lng), disabled FROM owner`,
    [
      tool.id,
      tool.ownerId,
      tool.categoryId,
      tool.name,
      tool.description,
      tool.priceCents,
      tool.rentalCircle,
      tool.units,
      tool.now,
      ...imageFields.map((field) => images[field] ?? null),
      ...placeOf(pickUp),
      tool.terms,
    ],
  );
};

const placeOf = (pickUp: PickUp) => [pickUp?.lat ?? null, pickUp?.lng ?? null, pickUp?.zip ?? null];

/** Counts an owner's tools. The lock serializes the owner's listings, or concurrent ones could exceed the limit. */
export const lockAndCountTools = async (tx: Transaction, ownerId: string): Promise<number> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('tools of ' || $1, 0))`, [ownerId]);
  const { rows } = await tx.query<{ count: number }>(
    'SELECT count(*) FROM tools WHERE owner_id = $1 AND removed_at IS NULL',
    [ownerId],
  );
  return rows[0]?.count ?? 0;
};

interface ToolChanges {
  fields: Partial<ToolFields>;
  images: ImageChanges;
  /** For each position, the field whose picture moves there. */
  imageOrder?: readonly (typeof imageFields)[number][] | undefined;
  /** The new status; undefined keeps the current one. */
  status: ToolStatus | undefined;
  now: Date;
}

/** Updates a tool. A new status also lists it again: earlier bookings no longer count, so the tool is Available unless paused. */
export const updateToolRow = async (
  tx: Transaction,
  id: string,
  changes: ToolChanges,
): Promise<void> => {
  const { fields, images, imageOrder, status, now } = changes;
  const columns: Record<string, unknown> = {
    name: fields.name,
    description: fields.description,
    price_cents: fields.priceCents,
    rental_circle: fields.rentalCircle,
    category_id: fields.categoryId,
    units: fields.units,
    terms: fields.terms,
    ...(status && { status, listed_at: now, paused_at: status === 'Unavailable' ? now : null }),
    ...images,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  // In an UPDATE every right-hand side reads the old row, so pictures can swap positions.
  const moved = imageFields
    .map((field, place) => [field, imageOrder?.[place] ?? field] as const)
    .filter(([field, from]) => field !== from && images[field] === undefined);
  await tx.query({
    text: `UPDATE tools SET version = version + 1
       ${given.map(([column], i) => `, ${column} = ${newValue(column, `$${i + 2}`)}`).join('')}
       ${moved.map(([field, from]) => `, ${field} = ${from}`).join('')}
     WHERE id = $1`,
    values: [id, ...given.map(([, value]) => value)],
  });
};

/** Keeps the blocked days if the new terms have none: a client may have received terms without blocked days and send them back. */
const newValue = (column: string, value: string): string =>
  column === 'terms'
    ? `(CASE WHEN terms ? 'blocked' THEN jsonb_build_object('blocked', terms->'blocked')
        ELSE '{}' END) || ${value}::jsonb`
    : value;

/** Hides a tool, or shows it again if `reason` is null, unless a later version is stored. Returns whether it was stored. */
export const storeHidden = async (
  tx: Transaction,
  tool: { id: string; reason: string | null; version: number },
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `UPDATE tools SET hidden_reason = $2, hidden_version = $3, version = version + 1
     WHERE id = $1 AND hidden_version < $3`,
    [tool.id, tool.reason, tool.version],
  );
  return rowCount !== 0;
};

export const removeTool = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query('UPDATE tools SET removed_at = now(), version = version + 1 WHERE id = $1', [id]);
  await tx.query('DELETE FROM saved_tools WHERE tool_id = $1', [id]);
};

/** Moves a tool to its own pick-up place, or back to its owner's place. Locks the owner's row, like `insertTool`. */
export const saveToolPickUp = async (
  tx: Transaction,
  id: string,
  pickUp: PickUp,
): Promise<void> => {
  await tx.query(
    `WITH owner AS (
       SELECT o.lat, o.lng FROM owners o JOIN tools t ON t.owner_id = o.id WHERE t.id = $1
       FOR SHARE OF o)
     UPDATE tools SET pickup_lat = $2, pickup_lng = $3, pickup_zip = $4,
       place = ll_to_earth(owner.lat, owner.lng)
     FROM owner WHERE id = $1`,
    [id, ...placeOf(pickUp)],
  );
};

/** Adds an event for each tool, with its state in this transaction, to the outbox. */
export const publishTools = async (
  tx: Transaction,
  type: 'ToolListed' | 'ToolUpdated',
  ids: string[],
): Promise<void> => {
  const { rows } = await tx.query<EventData<typeof type> & { version: number }>(
    // A disabled owner's tool and a hidden one are published as Unavailable, so that they cannot be held.
    `SELECT t.version, t.id AS "toolId", t.owner_id AS "ownerId",
       t.category_id AS "categoryId", t.name, t.description, t.price_cents AS "priceCents",
       t.rental_circle AS "rentalCircle",
       CASE WHEN t.on_offer THEN 'Available' ELSE 'Unavailable' END AS status, t.units,
       o.time_zone AS "timeZone", coalesce(t.cover_image, 'null') AS "coverImage",
       NOT ${isPublicSql} AS "ownerDisabled", t.terms
     FROM tools t JOIN owners o ON o.id = t.owner_id
     WHERE t.id = ANY($1::uuid[]) ORDER BY t.id`,
    [ids],
  );
  const events = rows.map(({ version, ...data }) =>
    newEvent(type, { id: data.toolId, version }, { ...data, terms: withoutNotes(data.terms) }),
  );
  await addToOutbox(tx, ...events);
};

/** Removes the owner's notes on blocked days, because they are private. */
const withoutNotes = (terms: Terms | null | undefined): Terms | null =>
  terms?.blocked
    ? { ...terms, blocked: terms.blocked.map(({ from, to }) => ({ from, to })) }
    : (terms ?? null);
