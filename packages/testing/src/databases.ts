import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLogger, migrate } from '@lendtools/service-kit';
import pg from 'pg';
import { testServers } from './servers.ts';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const withAdmin = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: testServers().postgresUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const urlOf = (database: string): string => {
  const url = new URL(testServers().postgresUrl);
  url.pathname = `/${database}`;
  return url.toString();
};

const fingerprint = (folders: Record<string, string>): string => {
  const hash = createHash('sha256').update('graphile-worker 0.18');
  for (const folder of Object.values(folders)) {
    for (const file of readdirSync(folder).sort())
      hash.update(file).update(readFileSync(path.join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
};

/** Clones a template that the first call migrates: a clone takes 30 ms, a service's migrations ten times that. */
export const createPostgresDatabase = (migrations: Record<string, string>): Promise<TestDatabase> =>
  withAdmin(async (client) => {
    const template = `template_${fingerprint(migrations)}`;
    const name = `test_${randomBytes(8).toString('hex')}`;
    await client.query(`SELECT pg_advisory_lock(hashtext('test-template'))`);
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (known.rowCount === 0) {
      const building = `${template}_${randomBytes(4).toString('hex')}`;
      await client.query(`CREATE DATABASE ${building}`);
      await migrate(urlOf(building), migrations, createLogger('test', 'silent'));
      await client.query(`ALTER DATABASE ${building} RENAME TO ${template}`);
    }
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    await client.query(`SELECT pg_advisory_unlock(hashtext('test-template'))`);
    return {
      url: urlOf(name),
      drop: () =>
        withAdmin(
          async (admin) => void (await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
        ),
    };
  });

export const createMongoDatabase = async (): Promise<TestDatabase> => {
  const url = new URL(testServers().mongoUrl);
  url.pathname = `/test_${randomBytes(8).toString('hex')}`;
  return {
    url: url.toString(),
    async drop() {
      // Loaded on demand: mongoose would be a third of the modules in tests of PostgreSQL services.
      const { default: mongoose } = await import('mongoose');
      const connection = await mongoose.createConnection(url.toString()).asPromise();
      await connection.dropDatabase();
      await connection.close();
    },
  };
};
