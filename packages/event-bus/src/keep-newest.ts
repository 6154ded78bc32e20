import { isDuplicateKey } from '@lendtools/service-kit';
import type { Connection } from 'mongoose';

/**
 * Stores a document unless a newer version is stored. A duplicate key means that a newer version exists, or that
 * another handler has just inserted an older one. The second attempt updates that older document.
 */
export const keepNewest = async <T extends { _id: string; version: number }>(
  collection: ReturnType<Connection['collection']>,
  { _id, ...fields }: T,
): Promise<void> => {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const older = { _id, version: { $lt: fields.version } };
      await collection.updateOne(older as never, { $set: fields }, { upsert: true });
      return;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
};
