import type { ServiceName } from '@lendtools/contracts';
import mongoose from 'mongoose';
import pg from 'pg';
import type { ServerContext } from './home.ts';
import type { Servers } from './servers.ts';

const inPostgres = ['accounts', 'catalog', 'bookings', 'payments'] as const;

/** Only a superuser may create these extensions. The services' migrations then find them installed. */
const extensions: Partial<Record<ServiceName, string[]>> = {
  catalog: ['pg_trgm', 'cube', 'earthdistance', 'btree_gist'],
  bookings: ['btree_gist'],
};

/** Creates a database for each service, with an owner that may connect to no other database. Idempotent. */
export async function createDatabases(
  context: ServerContext,
  servers: Pick<Servers, 'postgres' | 'mongodb'>,
): Promise<Record<ServiceName, string>> {
  const admin = await connect(servers.postgres.adminUrl);
  const urls: Record<string, string> = {};
  try {
    await admin.query('REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC');
    for (const service of inPostgres) {
      const password = context.secrets.get(`${service}DatabasePassword`);
      await createDatabase(admin, service, password);
      const url = new URL(servers.postgres.adminUrl);
      url.pathname = `/${service}`;
      await createExtensions(url.href, extensions[service] ?? []);
      url.username = service;
      url.password = password;
      urls[service] = url.href;
    }
  } finally {
    await admin.end();
  }
  return {
    ...(urls as Record<(typeof inPostgres)[number], string>),
    messaging: `${servers.mongodb.url}/messaging`,
    notifications: `${servers.mongodb.url}/notifications`,
  };
}

async function createDatabase(admin: pg.Client, name: string, password: string): Promise<void> {
  const identifier = pg.escapeIdentifier(name);
  const roles = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (roles.rowCount === 0) await admin.query(`CREATE ROLE ${identifier} LOGIN`);
  await admin.query(`ALTER ROLE ${identifier} PASSWORD ${pg.escapeLiteral(password)}`);
  const databases = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (databases.rowCount === 0) {
    await admin.query(`CREATE DATABASE ${identifier} OWNER ${identifier}`);
  }
  await admin.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${identifier} FROM PUBLIC`);
}

async function createExtensions(url: string, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const client = await connect(url);
  try {
    for (const name of names) await client.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
  } finally {
    await client.end();
  }
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

type Db = NonNullable<mongoose.Connection['db']>;

export async function inMongo(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const connection = await mongoose.createConnection(url).asPromise();
  try {
    if (connection.db) await work(connection.db);
  } finally {
    await connection.close();
  }
}
