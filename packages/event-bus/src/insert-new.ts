import { batchCalls, isDuplicateKey } from '@lendtools/service-kit';
import type { Connection, mongo } from 'mongoose';

/** Inserts a document unless its unique key exists, and returns whether it was inserted. Concurrent calls become one command. */
export const createInserter = <T extends { _id: string }>(
  collection: ReturnType<Connection['collection']>,
): ((document: T) => Promise<boolean>) =>
  batchCalls(async (documents: T[]) => {
    try {
      await collection.insertMany(documents as never, { ordered: false });
      return documents.map(() => true);
    } catch (error) {
      const taken = takenIndexes(error);
      return documents.map((_, index) => !taken.has(index));
    }
  });

/** @throws the error, unless duplicate keys are its only cause */
const takenIndexes = (error: unknown): Set<number> => {
  const { writeErrors, result } = error as mongo.MongoBulkWriteError;
  const failed = [writeErrors ?? []].flat();
  // Check the write concern too: the driver reports only duplicate keys even if the other inserts did not reach a majority.
  const isSafe = !result?.getWriteConcernError();
  if (failed.length > 0 && failed.every(isDuplicateKey) && isSafe)
    return new Set(failed.map(({ index }) => index));
  throw error;
};
