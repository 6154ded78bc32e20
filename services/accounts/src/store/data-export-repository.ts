import type { Db, Pool, Transaction } from '@lendtools/service-kit';
import { dataExportNotFound } from '../domain/errors.ts';

export const exportDays = 7;

/** Deletes the user's other exports, because each may have hundreds of megabytes. The user must be locked. */
export const insertExport = async (tx: Transaction, userId: string): Promise<string> => {
  await tx.query('DELETE FROM data_exports WHERE user_id = $1', [userId]);
  const { rows } = await tx.query<{ id: string }>(
    'INSERT INTO data_exports (user_id) VALUES ($1) RETURNING id',
    [userId],
  );
  return rows[0]?.id as string;
};

export const deleteExport = async (db: Db, id: string): Promise<void> => {
  await db.query('DELETE FROM data_exports WHERE id = $1', [id]);
};

/** Whose export it is; undefined if it is complete, or was deleted with the account. */
export const findUnfinishedExport = async (db: Db, id: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ userId: string }>(
    'SELECT user_id AS "userId" FROM data_exports WHERE id = $1 AND expires_at IS NULL',
    [id],
  );
  return rows[0]?.userId;
};

/** Deletes the parts of an earlier try. */
export const dropParts = async (db: Db, exportId: string): Promise<void> => {
  await db.query('DELETE FROM data_export_parts WHERE export_id = $1', [exportId]);
};

export const insertPart = async (
  db: Db,
  part: { exportId: string; number: number; bytes: Buffer },
): Promise<void> => {
  await db.query('INSERT INTO data_export_parts (export_id, number, bytes) VALUES ($1, $2, $3)', [
    part.exportId,
    part.number,
    part.bytes,
  ]);
};

/** Completes an export, unless another run of the task has. @returns until when it can be downloaded */
export const completeExport = async (tx: Transaction, id: string): Promise<Date | undefined> => {
  const { rows } = await tx.query<{ expiresAt: Date }>(
    `UPDATE data_exports SET expires_at = now() + interval '${exportDays} days'
     WHERE id = $1 AND expires_at IS NULL RETURNING expires_at AS "expiresAt"`,
    [id],
  );
  return rows[0]?.expiresAt;
};

export const isDownloadable = async (db: Db, id: string, userId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    'SELECT FROM data_exports WHERE id = $1 AND user_id = $2 AND expires_at > now()',
    [id, userId],
  );
  return rowCount === 1;
};

/** @throws AppError 404 if the export is deleted meanwhile, so that no one takes half a file for all of it */
export const readParts = async function* (pool: Pool, exportId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const { rows } = await pool.query<{ bytes: Buffer | null }>(
      `SELECT p.bytes FROM data_exports e
       LEFT JOIN data_export_parts p ON p.export_id = e.id AND p.number = $2 WHERE e.id = $1`,
      [exportId, number],
    );
    if (!rows[0]) throw dataExportNotFound();
    if (!rows[0].bytes) return;
    yield rows[0].bytes;
  }
};
