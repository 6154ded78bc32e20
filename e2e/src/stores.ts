import { serviceNames } from '@lendtools/contracts';
import { marketplace, mongo, query } from './marketplace.ts';

/** Copies that are purged within days, and pictures that a purge is about to delete (docs/retention.md). */
const shortLived = ['outbox_messages', 'idempotency_keys', 'unused_pictures', 'published_events'];

const inPostgres = async (service: string, words: string[]): Promise<string[]> => {
  const tables = await query<{ name: string }>(
    service,
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)`,
    [shortLived],
  );
  const patterns = words.map((word) => `%${word}%`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(
      service,
      `SELECT t::text AS row FROM ${name} t WHERE t::text ILIKE ANY ($1) LIMIT 3`,
      [patterns],
    );
    found.push(...rows.map(({ row }) => `${service}.${name}: ${row}`));
  }
  return found;
};

const inMongo = (service: string, words: string[]): Promise<string[]> =>
  mongo(service, async (db) => {
    const collections = (await db.db?.listCollections().toArray()) ?? [];
    const found: string[] = [];
    for (const { name } of collections.filter((one) => !shortLived.includes(one.name)))
      for await (const { pending: _, ...document } of db.collection(name).find()) {
        const text = JSON.stringify(document);
        const has = words.some((word) => text.toLowerCase().includes(word.toLowerCase()));
        if (has) found.push(`${service}.${name}: ${text}`);
      }
    return found;
  });

/** Every row and document, of all services, that contains one of the words. */
export const findInStores = async (words: string[]): Promise<string[]> => {
  const { databases } = marketplace();
  const found = await Promise.all(
    serviceNames.map((service) =>
      databases[service]?.startsWith('mongodb')
        ? inMongo(service, words)
        : inPostgres(service, words),
    ),
  );
  return found.flat();
};
