import { isDuplicateKey } from '@lendtools/service-kit';
import type { Connection } from 'mongoose';

/**
 * Upserts a document in MongoDB unless a newer version is stored. If no older version matches, the upsert fails with
 * a duplicate key: either the stored one is newer, or another handler has just inserted an older one, which the
 * second attempt finds.
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
