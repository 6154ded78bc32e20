import { batchCalls, isDuplicateKey } from '@lendtools/service-kit';
import type { Connection, mongo } from 'mongoose';

/**
 * Inserts documents into a collection of MongoDB, those that come at once by one command, and says of each whether it was
 * new. One whose unique key is taken leaves what is there as it is.
 */
export const createInserter = <T extends { _id: string }>(
  collection: ReturnType<Connection['collection']>,
): ((document: T) => Promise<boolean>) =>
  batchCalls(async (documents: T[]) => {
    try {
      await collection.insertMany(documents as never, { ordered: false });
      return documents.map(() => true);
    } catch (error) {
      const taken = placesTaken(error);
      return documents.map((_, place) => !taken.has(place));
    }
  });

/** @throws the error, unless all that it says is that keys are taken */
const placesTaken = (error: unknown): Set<number> => {
  const { writeErrors, result } = error as mongo.MongoBulkWriteError;
  const failed = [writeErrors ?? []].flat();
  // The others may not be on most members: of the two faults the driver tells of the taken key.
  const isSafe = !result?.getWriteConcernError();
  if (failed.length > 0 && failed.every(isDuplicateKey) && isSafe)
    return new Set(failed.map(({ index }) => index));
  throw error;
};
