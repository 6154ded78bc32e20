import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDatabaseOutage } from '@lendtools/service-kit';
import { createMongoDatabase } from '@lendtools/testing';
import mongoose, { type Collection, type Connection } from 'mongoose';
import { createInserter } from '../src/insert-new.ts';

interface Document {
  _id: string;
  key: string;
}

let connection: Connection;
let drop: () => Promise<unknown>;
beforeAll(async () => {
  const database = await createMongoDatabase();
  drop = database.drop;
  connection = await mongoose.createConnection(database.url).asPromise();
  await connection.collection('notes').createIndex({ key: 1 }, { unique: true });
});
afterAll(async () => {
  await connection.close();
  await drop();
});

describe('createInserter', () => {
  it('reports for each concurrent insert whether it was new, and keeps existing documents', async () => {
    const notes = connection.collection<Document>('notes');
    const insert = createInserter<Document>(connection.collection('notes'));
    await insert({ _id: '1', key: 'a' });

    const isNew = await Promise.all([
      insert({ _id: '2', key: 'b' }),
      insert({ _id: '3', key: 'a' }),
      insert({ _id: '4', key: 'c' }),
      insert({ _id: '4', key: 'd' }),
    ]);

    expect(isNew).toEqual([true, false, true, false]);
    expect(await notes.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: '1', key: 'a' },
      { _id: '2', key: 'b' },
      { _id: '4', key: 'c' },
    ]);
  });

  it.each([
    [
      'other errors',
      [
        { index: 0, code: 11_000 },
        { index: 1, code: 2 },
      ],
      undefined,
    ],
    ['a write that no majority acknowledged', [{ index: 0, code: 11_000 }], { code: 64 }],
  ])(
    'rejects duplicate inserts if the reply also reports %s',
    async (_, writeErrors, writeConcernError) => {
      const error = Object.assign(new Error('E11000'), {
        code: 11_000,
        writeErrors,
        result: { getWriteConcernError: () => writeConcernError },
      });
      const insertMany = () => Promise.reject(error);
      const insert = createInserter({ insertMany } as unknown as Collection);

      await expect(insert({ _id: '1' })).rejects.toBe(error);
    },
  );

  it('throws the error of an outage even if the driver wraps it in another error', async () => {
    const { MongoBulkWriteError, MongoNetworkError } = mongoose.mongo;
    const nothing = { getWriteConcernError: () => undefined };
    const wrapped = new MongoBulkWriteError(new MongoNetworkError('cut'), nothing as never);
    const insert = createInserter<Document>({ insertMany: () => Promise.reject(wrapped) } as never);

    const error = await insert({ _id: 'a', key: 'a' }).catch((cause) => cause);

    expect(isDatabaseOutage(error)).toBe(true);
  });
});
