import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import {
  completeExport,
  deleteExport,
  insertPart,
  startRun,
} from '../../store/data-export-repository.ts';
import { findUser, shareLockUser } from '../../store/user-repository.ts';
import { collectData } from '../collect-data.ts';
import { zipFiles } from '../zip-files.ts';

/** Makes the file with all data of a user, and publishes that it is ready. Deletes the export if the account is closed. */
export const makeDataExport = async (deps: Deps, exportId: string): Promise<void> => {
  const { pool } = deps;
  const started = await inTransaction(pool, (tx) => startRun(tx, exportId));
  const user = started && (await findUser(pool, started.userId));
  if (!user) return;
  if (user.disabledAt) return deleteExport(pool, exportId);
  const run = { exportId, run: started.run };
  let number = 0;
  for await (const bytes of zipFiles(collectData(deps, user, exportId)))
    if (!(await insertPart(pool, { ...run, number: number++, bytes }))) return;
  await inTransaction(pool, async (tx) => {
    const current = await shareLockUser(tx, user.id);
    if (!current || current.disabledAt) return deleteExport(tx, exportId);
    const expiresAt = await completeExport(tx, run);
    if (!expiresAt) return;
    const { id, email, firstName, timeZone } = current;
    const data = { userId: id, email, firstName, timeZone, exportId };
    const ready = { ...data, expiresAt: expiresAt.toISOString() };
    await addToOutbox(tx, newEvent('DataExportReady', { id: exportId, version: 1 }, ready));
  });
};
