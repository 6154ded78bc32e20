import { roundPlace } from '@lendtools/contracts';
import type { Caller } from '@lendtools/service-kit';
import type { AddValue } from './statement-values.ts';

/** The user who requests a tool. Only its owner and admins see its street address. */
export interface Viewer {
  id: string | null;
  isAdmin: boolean;
}

export const viewerOf = (user: Caller | null): Viewer => ({
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
  /** Why the tool is hidden; null or missing if it is not, or if the viewer may not edit the tool. */
  hiddenReason?: string | null;
}

export const isSignedIn = ({ id }: Viewer): boolean => id !== null;

/** Inlined by hand, because PostgreSQL does not inline `latitude(t.place)`: that call took a third of the 0.24 ms for reading a page. */
const latitude = 'degrees(asin(greatest(-1, least(1, cube_ll_coord(t.place, 3) / earth()))))';

/**
 * The columns of `StoredJson`, for the table of tools named `t`. The SQL for visitors contains no values, so PostgreSQL
 * reuses its plan. The category's name comes from a subquery, because a join would need another sort.
 */
export const toolJson = (viewer: Viewer, value: AddValue): string => `
  ${isSignedIn(viewer) ? signedInColumns(viewer, value) : 't.public_json AS json'},
  t.category_id AS "categoryId", ${latitude} AS lat, longitude(t.place) AS lng,
  (SELECT c.name FROM categories c WHERE c.id = t.category_id) AS "categoryName"`;

const signedInColumns = ({ id, isAdmin }: Viewer, value: AddValue): string => {
  const mayEdit = `(${value(isAdmin)}::boolean OR t.owner_id = ${value(id)}::uuid)`;
  return `CASE WHEN ${mayEdit} THEN (
    SELECT tool_json(own, o, true) FROM tools own JOIN owners o ON o.id = own.owner_id WHERE own.id = t.id
  ) ELSE t.public_json END AS json, CASE WHEN ${mayEdit} THEN t.revision END AS revision,
    CASE WHEN ${mayEdit} THEN t.hidden_reason END AS "hiddenReason"`;
};

/** Writes a tool in the API's format. `miles` is the distance from the requested place, or null if the search has no place. */
export const writeTool = (
  { json, categoryId, categoryName, lat, lng, revision, hiddenReason }: StoredJson,
  miles: number | null = null,
): string => {
  const category = `{"id":"${categoryId}","name":${JSON.stringify(categoryName)}}`;
  // Round the place: city centers are stored unrounded, and a reply must not locate a tool more precisely than half a mile.
  const position = JSON.stringify(roundPlace({ lat, lng }));
  const edits = revision == null ? '' : `,"revision":${revision}`;
  const hidden = hiddenReason == null ? '' : `,"hiddenReason":${JSON.stringify(hiddenReason)}`;
  return `${json.slice(0, -1)},"category":${category},"position":${position},"distance":${miles}${edits}${hidden}}`;
};
