import { mostSavedTools, routes } from '@lendtools/contracts';
import { type BoundRoute, handle, inTransaction, JsonText, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { toolNotFound, tooManySavedTools } from '../../domain/errors.ts';
import { notBlockedSql } from '../../store/block-repository.ts';
import { type AddValue, statementValues } from '../../store/statement-values.ts';
import {
  type StoredJson,
  toolJson,
  type Viewer,
  viewerOf,
  writeTool,
} from '../../store/tool-json.ts';
import { isPublicSql } from '../../store/tool-repository.ts';

/** The saved tools that a user can still see. */
const savedBy = (viewer: Viewer, value: AddValue): string =>
  `FROM saved_tools s JOIN tools t ON t.id = s.tool_id
   WHERE s.user_id = ${value(viewer.id)} AND ${seenBy(viewer, value)}`;

const seenBy = (viewer: Viewer, value: AddValue): string =>
  `t.removed_at IS NULL AND ${isPublicSql} AND ${notBlockedSql(viewer, value)}`;

/** `GET /api/user/:userId/saved-tools`: includes Unavailable tools. */
export const savedTools = ({ pool }: Deps): BoundRoute =>
  handle(routes.savedTools, async ({ user }) => {
    const { values, value } = statementValues();
    const viewer = viewerOf(user);
    const { rows } = await pool.query<StoredJson>(
      `SELECT ${toolJson(viewer, value)} ${savedBy(viewer, value)} ORDER BY s.saved_at DESC, t.id DESC`,
      values,
    );
    return new JsonText(`{"rentals":[${rows.map((row) => writeTool(row)).join(',')}]}`);
  });

/** `GET /api/user/:userId/saved-tools/ids`: the tools whose heart icon is filled. */
export const savedToolIds = ({ pool }: Deps): BoundRoute =>
  handle(routes.savedToolIds, async ({ user }) => {
    const { values, value } = statementValues();
    const saved = savedBy(viewerOf(user), value);
    const { rows } = await pool.query<{ id: string }>(`SELECT t.id ${saved}`, values);
    return { ids: rows.map(({ id }) => id) };
  });

/** `PUT /api/user/:userId/saved-tools/:id`: a repeat keeps the tool's position in the list. */
export const saveTool = ({ pool, limits }: Deps): BoundRoute =>
  handle(routes.saveTool, async ({ params, user }) => {
    // Count outside the transaction, so that rejected saves count too.
    await spend(pool, user.userId, limits.saves);
    await inTransaction(pool, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('saved tools of ' || $1, 0))`, [
        user.userId,
      ]);
      const { values, value } = statementValues(params.id);
      const { rowCount: isThere } = await tx.query(
        `SELECT FROM tools t WHERE t.id = $1 AND ${seenBy(viewerOf(user), value)}`,
        values,
      );
      if (!isThere) throw toolNotFound();
      const { rows } = await tx.query<{ others: number }>(
        'SELECT count(*) AS others FROM saved_tools WHERE user_id = $1 AND tool_id <> $2',
        [user.userId, params.id],
      );
      if ((rows[0]?.others ?? 0) >= mostSavedTools) throw tooManySavedTools();
      await tx.query(
        'INSERT INTO saved_tools (user_id, tool_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [user.userId, params.id],
      );
    });
    return { message: 'Saved' };
  });

export const unsaveTool = ({ pool, limits }: Deps): BoundRoute =>
  handle(routes.unsaveTool, async ({ params, user }) => {
    await spend(pool, user.userId, limits.saves);
    await pool.query('DELETE FROM saved_tools WHERE user_id = $1 AND tool_id = $2', [
      user.userId,
      params.id,
    ]);
    return { message: 'No longer saved' };
  });
