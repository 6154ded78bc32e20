import type { Pool, Transaction } from '@lendtools/service-kit';

/** Fills an empty catalog with synthetic tools for measurements. The same count yields the same data. */
export const seedTools = async (pool: Pool, count: number): Promise<void> => {
  const client = await pool.connect();
  try {
    const owners = Math.max(10, Math.floor(count / 10));
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT setseed(0.42)');
    await client.query(insertCategories, [categories]);
    await client.query(insertOwners, [owners]);
    const rebuildIndexes = await dropIndexes(client);
    await client.query('ALTER TABLE tools DISABLE TRIGGER note_vocabulary');
    for (let from = 1; from <= count; from += batch) {
      const to = Math.min(count, from + batch - 1);
      await client.query(insertTools, [count, kinds, things, owners, from, to]);
    }
    await client.query('ALTER TABLE tools ENABLE TRIGGER note_vocabulary');
    await client.query(countWords);
    await rebuildIndexes();
    await client.query('VACUUM ANALYZE owners, tools, vocabulary');
  } finally {
    client.release(true);
  }
};

/** Inserting a million rows in one statement would exceed the pool's timeout. */
const batch = 50_000;

/** Drops eleven indexes and returns a function that rebuilds them: this is faster than maintaining them row by row. */
const dropIndexes = async (client: Transaction): Promise<() => Promise<void>> => {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'tools' AND indexname <> 'tools_pkey'`,
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX ${indexname}`);
  return async () => {
    for (const { indexdef } of rows) await client.query(indexdef);
  };
};

const insertCategories = `
  INSERT INTO categories (id, name)
  SELECT uuidv7(), name FROM unnest($1::text[]) name ON CONFLICT DO NOTHING`;

const insertOwners = `
  WITH towns AS MATERIALIZED (
    SELECT n, 30 + random() * 17 AS lat, -120 + random() * 45 AS lng FROM generate_series(0, 199) n)
  INSERT INTO owners (id, profile_version, first_name, last_name, country, state, city, address,
    lat, lng, time_zone)
  SELECT uuidv7(), 1, 'Owner', 'No ' || i, 'United States', 'State', 'Town ' || towns.n,
    i || ' Main Street', lat, lng, 'America/Chicago'
  FROM generate_series(1, $1::int) i JOIN towns ON towns.n = i % 200`;

/** Counts the words of all tools in one statement, in place of the trigger and the periodic job that count them in production. */
const countWords = `
  INSERT INTO vocabulary (word, tools)
  SELECT word, count(*) FROM tools, unnest(vocabulary_words(name)) word GROUP BY word`;

const insertTools = `
  WITH o AS MATERIALIZED (
      SELECT id, ll_to_earth(lat, lng) AS place, row_number() OVER (ORDER BY id) AS n FROM owners),
    c AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY name) AS n, count(*) OVER () AS total FROM categories)
  INSERT INTO tools (id, owner_id, category_id, name, description, price_cents, rental_circle,
    units, created_at, listed_at, place, rating_count, rating_sum)
  SELECT uuidv7(-interval '1 second' * ($1::int - i)), o.id, c.id,
    ($2::text[])[1 + i * 7 % cardinality($2)] || ' ' || ($3::text[])[1 + i % cardinality($3)]
      || ' ' || i || CASE WHEN i % 100 = 0 THEN ' ' || substr(translate(md5(i::text), '0123456789', 'ghijklmnop'), 1, 8) ELSE '' END,
    repeat('A well kept tool from the shed of a neighbor. ', 4), 300 + i * 37::bigint % 9700,
    'daily', 1, now() - interval '1 second' * ($1::int - i), now(), o.place,
    i % 7, (i % 7) * (1 + i % 5)
  FROM generate_series($5::int, $6::int) i
  JOIN o ON o.n = 1 + i % $4::int JOIN c ON c.n = 1 + i % c.total
  ORDER BY i`;

const categories = [
  'Carpentry',
  'Cleaning',
  'Electrical',
  'Garden',
  'Ladders',
  'Masonry',
  'Measuring',
  'Painting',
  'Plumbing',
  'Power tools',
  'Sanding',
  'Vehicles',
];
const kinds = ['Cordless', 'Heavy', 'Light', 'Electric', 'Petrol', 'Folding', 'Compact', 'Bosch'];
const things = [
  'drill',
  'circular saw',
  'hammer',
  'ladder',
  'pressure washer',
  'lawn mower',
  'chainsaw',
  'belt sander',
  'tile cutter',
  'wheelbarrow',
  'hedge trimmer',
  'paint sprayer',
  'angle grinder',
  'leaf blower',
  'generator',
];
