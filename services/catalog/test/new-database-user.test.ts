import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Running, readConfig } from '@lendtools/service-kit';
import { httpClient, waitFor } from '@lendtools/testing';
import pg from 'pg';
import { config } from '../src/config.ts';
import { startCatalog } from '../src/start-catalog.ts';
import { type CatalogService, startCatalogForTest } from './catalog-service.ts';

/** The SQL of docs/operations.md, with our users in place of the example's. */
const documented = (): string[] => {
  const file = path.join(import.meta.dirname, '../../../docs/operations.md');
  const [, section = ''] = readFileSync(file, 'utf8').split('### A database password');
  return [...section.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) =>
    sql.replaceAll('bookings', user),
  );
};

const user = `catalog_${randomBytes(4).toString('hex')}`;
const nextUser = `${user}_2`;
let catalog: CatalogService;

const urlOf = (name: string, password: string): string => {
  const url = new URL(catalog.databaseUrl);
  return Object.assign(url, { username: name, password }).href;
};
const start = (databaseUrl: string): Promise<Running> =>
  startCatalog(
    readConfig(config, {
      ...catalog.env,
      IMAGES_DIR: catalog.imagesDir,
      DATABASE_URL: databaseUrl,
    }),
    { topology: catalog.topology },
  );
const canLogIn = async (name: string, password: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: urlOf(name, password) });
  client.on('error', () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};

beforeAll(async () => {
  catalog = await startCatalogForTest();
  // Grant BYPASSRLS: graphile_worker's tables have row-level security, so only their owner or such a role can use them.
  await catalog.pool.query(
    `CREATE ROLE ${user} LOGIN BYPASSRLS PASSWORD 'old';
     GRANT ALL ON SCHEMA public, graphile_worker TO ${user};
     GRANT ALL ON ALL TABLES IN SCHEMA public, graphile_worker TO ${user};
     GRANT ALL ON ALL SEQUENCES IN SCHEMA public, graphile_worker TO ${user}`,
  );
});
afterAll(async () => {
  await catalog.pool.query(
    `DROP ROLE IF EXISTS ${nextUser}; DROP OWNED BY ${user}; DROP ROLE ${user}`,
  );
  await catalog.stop();
});

it('catalog fails no request while its database user is changed as documented', async () => {
  const [add, end] = documented();
  const owner = await catalog.addOwner();
  const tool = await catalog.addTool(owner);
  const before = await start(urlOf(user, 'old'));
  let serving = before;
  const failures: string[] = [];
  let requests = 0;
  let isOver = false;
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const http = httpClient(serving.url);
      const reply = await http.get(`/api/user/${owner.id}/rentals/my-rentals`, {
        token: owner.token,
      });
      const saved = await http.put(`/api/user/${owner.id}/saved-tools/${tool.id}`, {
        token: owner.token,
      });
      for (const { status, body } of [reply, saved])
        if (status >= 400) failures.push(JSON.stringify(body));
      requests++;
    }
  });
  const answered = async (more: number): Promise<void> => {
    const from = requests;
    await waitFor('requests', () => requests >= from + more);
  };
  await answered(20);

  await catalog.pool.query(add as string);
  const after = await start(urlOf(nextUser, 'new'));
  serving = after;
  await answered(20);
  await before.stop();
  await catalog.pool.query(end as string);
  await answered(50);

  isOver = true;
  await Promise.all(load);
  await after.stop();
  expect(failures).toEqual([]);
  expect([await canLogIn(user, 'old'), await canLogIn(nextUser, 'new')]).toEqual([false, true]);
});
