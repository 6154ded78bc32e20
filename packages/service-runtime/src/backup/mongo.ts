import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { publishAgainInMongo } from '@lendtools/event-bus';
import { restoreMark } from '@lendtools/service-kit';
import { mongo } from 'mongoose';
import { readLines, writeLines } from './lines.ts';

const { EJSON } = mongo.BSON;
const batchSize = 1_000;
const fileOf = (folder: string, name: string): string => path.join(folder, `${name}.ejsonl.gz`);

const withDatabase = async <T>(url: string, work: (db: mongo.Db) => Promise<T>): Promise<T> => {
  const client = new mongo.MongoClient(url, { serverSelectionTimeoutMS: 5_000, w: 'majority' });
  try {
    await client.connect();
    return await work(client.db());
  } finally {
    await client.close();
  }
};

/**
 * Copies documents before those that they refer to, such as emails before their notices. An event is recorded in
 * `published_events` before it leaves its outbox, so the outboxes are copied first and no event is missed.
 */
const first = ['emails', 'notices', 'replies', 'messages', 'admin_acts'];
const last = ['published_events'];

const inCopyOrder = (names: string[]): string[] => {
  const others = names.filter((name) => !first.includes(name) && !last.includes(name));
  return [...first, ...others, ...last].filter((name) => names.includes(name));
};

const collectionsOf = async (db: mongo.Db): Promise<string[]> => {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
};

/**
 * Returns the number of documents in each collection. Reads by id, and ids never change, so concurrent writes cannot
 * make it skip or repeat a document.
 */
export const dumpMongo = (url: string, folder: string): Promise<Record<string, number>> =>
  withDatabase(url, async (db) => {
    await mkdir(folder, { mode: 0o700 });
    const counts: Record<string, number> = {};
    for (const name of inCopyOrder(await collectionsOf(db))) {
      const documents = readCollection(db.collection(name));
      // Don't use relaxed JSON, which would lose the types of dates and numbers.
      const toLine = (document: mongo.Document) => EJSON.stringify(document, { relaxed: false });
      counts[name] = await writeLines(fileOf(folder, name), documents, toLine);
    }
    return counts;
  });

const readCollection = async function* (
  collection: mongo.Collection,
): AsyncGenerator<mongo.Document[]> {
  let batch: mongo.Document[] = [];
  for await (const document of collection.find().sort({ _id: 1 }).batchSize(batchSize)) {
    batch.push(document);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
};

/** @throws Error if the database is not empty */
export const rejectUsedMongo = (service: string, url: string): Promise<void> =>
  withDatabase(url, async (db) => {
    if ((await collectionsOf(db)).length > 0)
      throw new Error(`The database of ${service} is not empty.`);
  });

/** Marks a database so that no service starts on it. */
export const markMongo = (url: string): Promise<void> =>
  withDatabase(url, async (db) => void (await db.collection(restoreMark).insertOne({})));

export const unmarkMongo = (url: string): Promise<void> =>
  withDatabase(url, async (db) => void (await db.collection(restoreMark).drop()));

/** Fills an empty database. Its service creates the indexes when it starts. */
export const restoreMongo = (
  url: string,
  { counts, folder }: { counts: Record<string, number>; folder: string },
): Promise<void> =>
  withDatabase(url, async (db) => {
    for (const [name, expected] of Object.entries(counts)) {
      let count = 0;
      for await (const lines of readLines(fileOf(folder, name))) {
        const documents = lines.map((line) => EJSON.parse(line, { relaxed: false }));
        await db.collection(name).insertMany(documents, { ordered: false });
        count += documents.length;
      }
      if (count !== expected)
        throw new Error(`The backup's ${name} has ${count} documents instead of ${expected}.`);
    }
    await publishAgainInMongo(db);
  });
