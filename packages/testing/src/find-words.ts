import type { Connection } from 'mongoose';

/** Copies that are purged within days, and pictures that a purge is about to delete (docs/retention.md). */
const shortLived = ['outbox_messages', 'idempotency_keys', 'unused_pictures', 'published_events'];

interface Database {
  query(sql: string, values: unknown[]): Promise<{ rows: Record<string, string>[] }>;
}

/** Returns the rows of all tables that contain one of the words, as `<table>: <row>`. */
export const findRowsWith = async (
  database: Database,
  words: string[],
  { except = shortLived } = {},
): Promise<string[]> => {
  const tables = await database.query(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)`,
    [except],
  );
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await database.query(
      `SELECT t::text AS row FROM ${name} t WHERE t::text ILIKE ANY ($1)`,
      [words.map((word) => `%${word}%`)],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
};

/** Returns the documents of all collections that contain one of the words, as `<collection>: <document>`. Skips pending events. */
export const findDocumentsWith = async (
  { db }: Pick<Connection, 'db'>,
  words: string[],
): Promise<string[]> => {
  const collections = (await db?.listCollections().toArray()) ?? [];
  const found: string[] = [];
  for (const { name } of collections.filter((one) => !shortLived.includes(one.name)))
    for await (const { pending: _, ...document } of db?.collection(name).find() ?? []) {
      const text = JSON.stringify(document);
      if (words.some((word) => text.toLowerCase().includes(word.toLowerCase())))
        found.push(`${name}: ${text}`);
    }
  return found;
};
