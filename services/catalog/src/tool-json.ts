import { roundPlace } from '@lendtools/contracts';
import type { Identity } from '@lendtools/service-kit';

/** Who requests a tool: only the owner and admins see the street address. */
export interface Viewer {
  id: string | null;
  isAdmin: boolean;
}

export const viewerOf = (user: Identity | null): Viewer => ({
  id: user?.userId ?? null,
  isAdmin: user?.role === 'Admin',
});

export interface StoredJson {
  json: string;
  categoryId: string;
  categoryName: string;
  lat: number;
  lng: number;
  /** The tool's revision; null or missing if the viewer may not edit the tool. */
  revision?: number | null;
}

/** Only a signed-in viewer can be an owner or an admin. */
export const isSignedIn = ({ id }: Viewer): boolean => id !== null;

/**
 * Same as `latitude(t.place)`, which PostgreSQL, unlike `longitude`, does not inline. Calling it for each tool on a
 * page of 24 took a third of the statement's time (0.24 ms with it, 0.155 without).
 */
const latitude = 'degrees(asin(greatest(-1, least(1, cube_ll_coord(t.place, 3) / earth()))))';

/**
 * The columns of `StoredJson`, for `t` (tools). The public JSON is stored (migration 0013); only owners and admins
 * get one built on reading. A visitor's statement omits that choice, or PostgreSQL would plan it anew each time. A
 * subquery reads the category's name, which keeps the tools' order; a join would need another sort.
 */
export const toolJson = (viewer: Viewer, value: (given: unknown) => string): string => `
  ${isSignedIn(viewer) ? signedInColumns(viewer, value) : 't.public_json AS json'},
  t.category_id AS "categoryId", ${latitude} AS lat, longitude(t.place) AS lng,
  (SELECT c.name FROM categories c WHERE c.id = t.category_id) AS "categoryName"`;

const signedInColumns = ({ id, isAdmin }: Viewer, value: (given: unknown) => string): string => {
  const mayEdit = `(${value(isAdmin)}::boolean OR t.owner_id = ${value(id)}::uuid)`;
  return `CASE WHEN ${mayEdit} THEN (
    SELECT tool_json(own, o, true) FROM tools own JOIN owners o ON o.id = own.owner_id WHERE own.id = t.id
  ) ELSE t.public_json END AS json, CASE WHEN ${mayEdit} THEN t.revision END AS revision`;
};

/** Writes a tool as the API documents it; `miles` is the distance from the requested place, if any. */
export const writeTool = (
  { json, categoryId, categoryName, lat, lng, revision }: StoredJson,
  miles: number | null = null,
): string => {
  const category = `{"id":"${categoryId}","name":${JSON.stringify(categoryName)}}`;
  // Stored places are rounded already, except city centers. Never reveals more than half a mile.
  const position = JSON.stringify(roundPlace({ lat, lng }));
  const edits = revision == null ? '' : `,"revision":${revision}`;
  return `${json.slice(0, -1)},"category":${category},"position":${position},"distance":${miles}${edits}}`;
};
