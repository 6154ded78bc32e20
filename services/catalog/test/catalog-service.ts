import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Envelope, EventData, QueueName, Tool } from '@lendtools/contracts';
import { Broker } from '@lendtools/event-bus';
import { createLogger, createPool, type Pool, readConfig } from '@lendtools/service-kit';
import {
  type HttpClient,
  httpClient,
  startPostgresEnvironment,
  type TestEnvironment,
  waitFor,
} from '@lendtools/testing';
import sharp from 'sharp';
import { config } from '../src/config.ts';
import { catalogMigrations, startCatalog } from '../src/start-catalog.ts';

export interface CatalogService extends TestEnvironment {
  http: HttpClient;
  url: string;
  pool: Pool;
  imagesDir: string;
  /** Publishes an account and waits until the catalog service has consumed it. */
  addOwner(profile?: Partial<EventData<'AccountRegistered'>>): Promise<Person>;
  admin(): Promise<Person>;
  addCategory(name?: string): Promise<string>;
  addTool(owner: Person, fields?: Record<string, unknown>): Promise<Tool>;
  getTool(id: string, person?: Person): Promise<Tool>;
  /** Makes the next `times` consumer transactions fail, as in a deadlock. */
  failEffects(times: number): Promise<void>;
  /** Resolves when the queue's consumer has handled the event. */
  handled(queue: QueueName, event: Envelope): Promise<unknown>;
  countUpdates(toolId: string): number;
}

export interface Person {
  id: string;
  token: string;
}

export const profileOf = (
  changes: Partial<EventData<'AccountRegistered'>> = {},
): EventData<'AccountRegistered'> => ({
  userId: randomUUID(),
  role: 'User',
  firstName: 'Sam',
  lastName: 'Rivera',
  email: 'sam@example.com',
  image: 'null',
  country: 'United States',
  state: 'Oregon',
  city: 'Portland',
  address: '12 Alder Street',
  lat: 45.52,
  lng: -122.68,
  placeAccuracy: 'city',
  timeZone: 'America/Los_Angeles',
  emailVerified: false,
  ...changes,
});

export const startCatalogForTest = async (
  overrides: Record<string, string> = {},
): Promise<CatalogService> => {
  const environment = await startPostgresEnvironment(catalogMigrations, [
    'catalog.sync-owners',
    'catalog.hide-tools-when-owner-disabled',
    'catalog.sync-blocks',
    'catalog.hide-tool-when-moderated',
    'catalog.erase-owner-when-account-deleted',
    'catalog.update-status-when-booking-changed',
    'catalog.reopen-booking-when-return-undone',
    'catalog.move-booking-when-changed',
    'catalog.sync-holds',
    'catalog.sync-taken-dates',
    'catalog.rate-tool-when-review-added',
  ]);
  await declareQueues(environment);
  // Put the pictures into a folder below a dot folder, as some hosting platforms do.
  const imagesDir = path.join(await mkdtemp(path.join(tmpdir(), 'catalog-')), '.home', 'images');
  const settings = readConfig(config, { ...environment.env, IMAGES_DIR: imagesDir, ...overrides });
  const running = await startCatalog(settings, { topology: environment.topology });
  const http = httpClient(running.url);
  const pool = createPool(environment.databaseUrl, createLogger('test', 'silent'), { max: 2 });
  const { accounts, broker } = environment;

  const service: CatalogService = {
    ...environment,
    http,
    url: running.url,
    pool,
    imagesDir,
    async addOwner(changes) {
      const profile = profileOf(changes);
      await broker.sendNew('AccountRegistered', profile, { id: profile.userId, version: 1 });
      await waitFor('the owner to be known', async () => {
        const { rowCount } = await pool.query(
          'SELECT FROM owners WHERE id = $1 AND profile_version > 0',
          [profile.userId],
        );
        return rowCount;
      });
      return { id: profile.userId, token: await accounts.sign({ userId: profile.userId }) };
    },
    async admin() {
      const id = randomUUID();
      return { id, token: await accounts.sign({ userId: id, role: 'Admin' }) };
    },
    async addCategory(name = `Category ${randomUUID()}`) {
      const { token } = await service.admin();
      const added = await http.post('/api/add-rentals-main-category', { token, body: { name } });
      return added.body.category.id;
    },
    async addTool(owner, fields = {}) {
      const categoryId = fields.categoryId ?? (await service.addCategory());
      const body = { ...toolFields, categoryId, ...fields };
      const added = await http.post(`/api/user/${owner.id}/add-rental`, {
        token: owner.token,
        body,
      });
      if (added.status !== 201) throw new Error(JSON.stringify(added.body));
      return added.body.rental;
    },
    async getTool(id, person) {
      return (await http.get(`/api/get-tool/${id}`, { token: person?.token })).body.tool[0];
    },
    async failEffects(times) {
      // Count with a sequence, because the failures roll back everything else.
      await pool.query(`
        DROP SEQUENCE IF EXISTS effects; CREATE SEQUENCE effects;
        CREATE OR REPLACE FUNCTION fail_effect() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN IF nextval(''effects'') <= ${times} THEN RAISE ''not now''; END IF; RETURN NEW; END';
        CREATE OR REPLACE TRIGGER fail_effect BEFORE INSERT ON inbox_messages
          FOR EACH ROW EXECUTE FUNCTION fail_effect()`);
    },
    handled: (queue, event) =>
      waitFor(`${event.type} to be handled`, async () => {
        const { rowCount } = await pool.query(
          'SELECT FROM inbox_messages WHERE queue = $1 AND event_id = $2',
          [queue, event.id],
        );
        return rowCount;
      }),
    countUpdates: (toolId) =>
      broker.received.filter((e) => e.type === 'ToolUpdated' && e.aggregateId === toolId).length,
    async stop() {
      await running.stop();
      await pool.end();
      await environment.stop();
      await rm(path.join(imagesDir, '..', '..'), { recursive: true });
    },
  };
  return service;
};

/** Declares the queues first: an event published before its queue exists is lost. In production the producer declares them. */
const declareQueues = async ({ broker, topology }: TestEnvironment): Promise<void> => {
  const declaring = new Broker({
    url: broker.url,
    topology,
    service: 'catalog',
    logger: createLogger('test', 'silent'),
  });
  declaring.start();
  await declaring.whenConnected();
  await declaring.stop();
};

export const toolFields = {
  name: 'Cordless drill',
  description: 'Eighteen volts, two batteries.',
  price: 12.5,
};

export const formOf = (
  fields: Record<string, unknown>,
  files: Record<string, Buffer> = {},
): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const [name, bytes] of Object.entries(files)) {
    form.set(name, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'picture.png');
  }
  return form;
};

/** Draws a picture; each color gives different content. */
export const picture = (background = 'orange', width = 800, height = 600): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
