import { roundPlace } from '@lendtools/contracts';
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

/** What is read of a tool to show it. */
export interface StoredJson {
  json: string;
  categoryId: string;
  categoryName: string;
  lat: number;
  lng: number;
  /** Read for signed-in viewers, of what they may edit. */
  revision?: number | null;
}

/** Somebody who is signed in: nobody else owns a tool or is an admin. */
export const isKnown = ({ id }: Viewer): boolean => id !== null;

/**
 * As `latitude(t.place)` has it, which PostgreSQL, unlike `longitude`, does not inline: called for each tool of a page of
 * 24, it was a third of the statement's time (0.24 ms with it, 0.155 without).
 */
const latitude = 'degrees(asin(greatest(-1, least(1, cube_ll_coord(t.place, 3) / earth()))))';

/**
 * The columns of a `StoredJson` of `t` (tools). It is stored as anybody sees it, and written anew only for its owner and
 * for admins: migration 0013. A visitor's statement does not ask which of the two it is, or PostgreSQL would plan it anew
 * each time. The category's name is asked for each tool, which keeps their order; joined, they would be sorted again.
 */
export const toolJson = (viewer: Viewer, value: (given: unknown) => string): string => `
  ${isKnown(viewer) ? forKnown(viewer, value) : 't.public_json AS json'},
  t.category_id AS "categoryId", ${latitude} AS lat, longitude(t.place) AS lng,
  (SELECT c.name FROM categories c WHERE c.id = t.category_id) AS "categoryName"`;

const forKnown = ({ id, isAdmin }: Viewer, value: (given: unknown) => string): string => {
  const mayEdit = `(${value(isAdmin)}::boolean OR t.owner_id = ${value(id)}::uuid)`;
  return `CASE WHEN ${mayEdit} THEN (
    SELECT tool_json(own, o, true) FROM tools own JOIN owners o ON o.id = own.owner_id WHERE own.id = t.id
  ) ELSE t.public_json END AS json, CASE WHEN ${mayEdit} THEN t.revision END AS revision`;
};

/** A tool as the API documents it; `miles` are those from the place that was asked, if any. */
export const writeTool = (
  { json, categoryId, categoryName, lat, lng, revision }: StoredJson,
  miles: number | null = null,
): string => {
  const category = `{"id":"${categoryId}","name":${JSON.stringify(categoryName)}}`;
  // Rounded already where it is kept, but for the middles of cities: nobody learns more than half a mile.
  const position = JSON.stringify(roundPlace({ lat, lng }));
  const edits = revision == null ? '' : `,"revision":${revision}`;
  return `${json.slice(0, -1)},"category":${category},"position":${position},"distance":${miles}${edits}}`;
};
