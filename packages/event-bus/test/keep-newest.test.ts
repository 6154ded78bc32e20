import { expect, it } from '@jest/globals';
import { createMongoDatabase } from '@lendtools/testing';
import mongoose, { type Collection } from 'mongoose';
import { keepNewest } from '../src/keep-newest.ts';

it('keepNewest keeps the newer of two events even if the older one is inserted during its upsert', async () => {
  const database = await createMongoDatabase();
  const connection = await mongoose.createConnection(database.url).asPromise();
  const people = connection.collection<{ _id: string; version: number }>('people');
  const older = { _id: 'Ann', version: 1 };
  // Simulates a race that a server does not produce on demand: an update finds no document, then fails to insert one.
  let looks = 0;
  const racing = {
    updateOne: async (...update: Parameters<typeof people.updateOne>) => {
      if (++looks > 1) return people.updateOne(...update);
      await people.insertOne(older);
      return people.insertOne({ ...older, version: 2 });
    },
  };

  await keepNewest(racing as unknown as Collection, { ...older, version: 2 });

  expect(await people.find().toArray()).toEqual([{ _id: 'Ann', version: 2 }]);
  await connection.close();
  await database.drop();
});
