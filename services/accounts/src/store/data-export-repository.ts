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

export interface ExportRun {
  exportId: string;
  run: number;
}

/**
 * Starts a run, which ends the earlier ones: two workers may have the same task. Deletes the parts of earlier runs.
 * @returns undefined if the export is complete or deleted
 */
export const startRun = async (
  tx: Transaction,
  exportId: string,
): Promise<{ userId: string; run: number } | undefined> => {
  const { rows } = await tx.query<{ userId: string; run: number }>(
    `UPDATE data_exports SET run = run + 1 WHERE id = $1 AND expires_at IS NULL
     RETURNING user_id AS "userId", run`,
    [exportId],
  );
  await tx.query('DELETE FROM data_export_parts WHERE export_id = $1 AND run < $2', [
    exportId,
    rows[0]?.run,
  ]);
  return rows[0];
};

/** @returns false if a later run has started, or the export is deleted */
export const insertPart = async (
  db: Db,
  { exportId, run, number, bytes }: ExportRun & { number: number; bytes: Buffer },
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `INSERT INTO data_export_parts (export_id, run, number, bytes)
     SELECT id, run, $3::integer, $4::bytea FROM data_exports WHERE id = $1 AND run = $2 FOR KEY SHARE`,
    [exportId, run, number, bytes],
  );
  return rowCount === 1;
};

/** @returns until when the export can be downloaded; undefined if a later run has started, or the export is deleted */
export const completeExport = async (
  tx: Transaction,
  { exportId, run }: ExportRun,
): Promise<Date | undefined> => {
  const { rows } = await tx.query<{ expiresAt: Date }>(
    `UPDATE data_exports SET expires_at = now() + interval '${exportDays} days'
     WHERE id = $1 AND run = $2 AND expires_at IS NULL RETURNING expires_at AS "expiresAt"`,
    [exportId, run],
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
       LEFT JOIN data_export_parts p ON p.export_id = e.id AND p.run = e.run AND p.number = $2
       WHERE e.id = $1`,
      [exportId, number],
    );
    if (!rows[0]) throw dataExportNotFound();
    if (!rows[0].bytes) return;
    yield rows[0].bytes;
  }
};
