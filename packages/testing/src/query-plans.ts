import { createLogger, createPool, type Pool } from '@lendtools/service-kit';
import { createPostgresDatabase } from './databases.ts';

interface FilledDatabase {
  pool: Pool;
  drop(): Promise<void>;
}

/** Creates a database with analyzed rows, as `planQueries` needs it. */
export const createFilledDatabase = async (
  migrations: Record<string, string>,
  fill: string,
): Promise<FilledDatabase> => {
  const database = await createPostgresDatabase(migrations);
  const pool = createPool(database.url, createLogger('test', 'silent'));
  await pool.query(fill);
  // VACUUM moves new rows into the search index; reading it before that is slow.
  await pool.query('VACUUM ANALYZE');
  return {
    pool,
    async drop() {
      await pool.end();
      await database.drop();
    },
  };
};

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

interface QueryPlans {
  indexes: string[];
  scannedTables: string[];
}

/**
 * Plans the queries that `ask` sends, without running them: each returns no rows to `ask`. Sequential scans are disabled where an
 * index can be used, so a few hundred analyzed rows are planned like a large table, and a missing index shows on any machine.
 */
export const planQueries = async (
  pool: Pool,
  ask: (db: Pool) => Promise<unknown>,
): Promise<QueryPlans> => {
  const client = await pool.connect();
  const indexes = new Set<string>();
  const scannedTables = new Set<string>();
  const collect = (node: PlanNode): void => {
    if (node['Index Name']) indexes.add(node['Index Name']);
    if (node['Node Type'] === 'Seq Scan') scannedTables.add(node['Relation Name'] ?? '');
    node.Plans?.forEach(collect);
  };
  const query = async (sql: string, values: unknown[] = []) => {
    if (/^\s*(SELECT|WITH|UPDATE|DELETE)\b/i.test(sql)) {
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${sql}`, values);
      for (const { Plan } of rows[0]['QUERY PLAN']) collect(Plan);
    }
    return { rows: [], rowCount: 0 };
  };
  try {
    await client.query('SET enable_seqscan = off');
    await ask({ query, connect: async () => ({ query, release() {} }) } as unknown as Pool);
  } finally {
    client.release(true);
  }
  return { indexes: [...indexes], scannedTables: [...scannedTables] };
};
