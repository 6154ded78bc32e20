import type pg from 'pg';

/** Makes the first `times` inserts fail with a statement error, which does not count as an outage. */
export const failInserts = async (pool: pg.Pool, table: string, times: number): Promise<void> => {
  await pool.query(`CREATE SEQUENCE IF NOT EXISTS failures; SELECT setval('failures', 1, false)`);
  await pool.query(`
    CREATE OR REPLACE FUNCTION fail_insert() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('failures') <= ${times} THEN RAISE EXCEPTION 'a failure of the test'; END IF;
      RETURN NEW;
    END $$`);
  await pool.query(`DROP TRIGGER IF EXISTS fail_insert ON ${table}`);
  await pool.query(
    `CREATE TRIGGER fail_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_insert()`,
  );
};
