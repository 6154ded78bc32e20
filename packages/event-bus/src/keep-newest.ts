import { isDuplicateKey } from '@lendtools/service-kit';
import type { Connection } from 'mongoose';

/**
 * Keeps, in MongoDB, the newer of what is stored and what an event brings. No match means that the insert
 * meets the document: a newer one, or, the first time, an older one that another event's handler has just made; then
 * the second try finds it.
 */
export const keepNewest = async <T extends { _id: string; version: number }>(
  collection: ReturnType<Connection['collection']>,
  { _id, ...told }: T,
): Promise<void> => {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const older = { _id, version: { $lt: told.version } };
      await collection.updateOne(older as never, { $set: told }, { upsert: true });
      return;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
};
