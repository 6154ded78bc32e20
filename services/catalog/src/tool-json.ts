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
}

/**
 * The columns of a `StoredJson` of `t` (tools). It is stored as anybody sees it, and written anew only for its owner and
 * for admins: migration 0013. The category's name is asked for each tool, which keeps their order; joined, PostgreSQL
 * would sort them again, for twice the time. `viewer` holds placeholders.
 */
export const toolJson = (viewer: { id: string; isAdmin: string }): string => `
  CASE WHEN ${viewer.isAdmin}::boolean OR t.owner_id = ${viewer.id}::uuid THEN (
    SELECT tool_json(own, o, true) FROM tools own JOIN owners o ON o.id = own.owner_id WHERE own.id = t.id
  ) ELSE t.public_json END AS json,
  t.category_id AS "categoryId",
  (SELECT c.name FROM categories c WHERE c.id = t.category_id) AS "categoryName"`;

/** A tool as the API documents it; `miles` are those from the place that was asked, if any. */
export const writeTool = (
  { json, categoryId, categoryName }: StoredJson,
  miles: number | null = null,
): string => {
  const category = `{"id":"${categoryId}","name":${JSON.stringify(categoryName)}}`;
  return `${json.slice(0, -1)},"category":${category},"distance":${miles}}`;
};
