import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { createImageStore, createMetrics, readConfig } from '@lendtools/service-kit';
import { movePictures } from '@lendtools/service-runtime/move-pictures';
import { createBucket, freePort, httpClient, type TestBucket, waitFor } from '@lendtools/testing';
import sharp from 'sharp';
import { config } from '../src/config.ts';
import { purgeToolPictures } from '../src/pictures/purge-tool-pictures/purge-tool-pictures.ts';
import { startCatalog } from '../src/start-catalog.ts';
import {
  type CatalogService,
  formOf,
  type Person,
  picture,
  startCatalogForTest,
  toolFields,
} from './catalog-service.ts';

let bucket: TestBucket;
let catalog: CatalogService;
let owner: Person;
let categoryId: string;
const dayMs = 86_400_000;

/** Starts another replica, with its own picture folder or none, as on another machine. */
const startReplica = async (settings: Record<string, string>) => {
  const env = { ...catalog.env, S3_URL: bucket.url, ...settings };
  const running = await startCatalog(readConfig(config, env), { topology: catalog.topology });
  return { ...running, http: httpClient(running.url) };
};

beforeAll(async () => {
  bucket = await createBucket();
  // The catalog service also gets a folder, because an installation that moves its pictures to a bucket has one.
  catalog = await startCatalogForTest({ S3_URL: bucket.url });
  owner = await catalog.addOwner();
  categoryId = await catalog.addCategory();
});
afterAll(async () => {
  await catalog.stop();
  await bucket.drop();
});

type Http = Pick<CatalogService, 'http'>;

const list = (files: Record<string, Buffer>, at: Http = catalog, key: string = randomUUID()) =>
  at.http.post(`/api/user/${owner.id}/add-rental`, {
    token: owner.token,
    body: formOf({ ...toolFields, categoryId }, files),
    headers: { 'idempotency-key': key },
  });

const listTool = async (color: string, at: Http = catalog): Promise<Tool> =>
  (await list({ cover_image: await picture(color) }, at)).body.rental;

const ask = (
  path: string,
  init: RequestInit = {},
  { url }: { url: string } = catalog,
): Promise<Response> => fetch(new URL(path, url), init);

const namesInBucket = async (): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of bucket.list('tools-')) names.push(name);
  return names;
};

const countTools = async (): Promise<number> =>
  (await catalog.pool.query('SELECT FROM tools')).rowCount ?? 0;

describe('the catalog service with a bucket', () => {
  it('serves a picture from S3 in three widths with a fixed type, cacheable forever', async () => {
    const { body } = await list({ cover_image: await picture('teal', 2000, 1500) });
    const path: string = body.rental.cover_image;

    for (const width of [320, 640, 1280]) {
      const reply = await ask(path.replace('-640.', `-${width}.`));

      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('image/webp');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(reply.headers.get('last-modified')).toMatch(/GMT$/);
      const bytes = await reply.bytes();
      expect(reply.headers.get('content-length')).toBe(String(bytes.length));
      const { format, width: served } = await sharp(bytes).metadata();
      expect([format, served]).toEqual(['webp', width]);
    }
    expect(await readdir(catalog.imagesDir)).toEqual([]);
  });

  it('sends no body to a client that has the picture cached, nor for a HEAD request', async () => {
    const { cover_image: path } = await listTool('navy');
    const { headers } = await ask(path);

    const known = await ask(path, {
      // Send this header, because `fetch` otherwise sends `no-cache`, like a browser's hard reload.
      headers: {
        'if-modified-since': headers.get('last-modified') as string,
        'cache-control': 'max-age=0',
      },
    });
    const head = await ask(path, { method: 'HEAD' });
    const range = await ask(path, { headers: { range: 'bytes=9999999-' } });

    expect([known.status, await known.text()]).toEqual([304, '']);
    expect(known.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
    expect([range.status, (await range.bytes()).length]).toEqual([
      200,
      Number(headers.get('content-length')),
    ]);
  });

  it('replies 404 for a picture that does not exist', async () => {
    const reply = await ask('/api/images/tools-00000000000000000000000000000000-640.webp');

    expect(reply.status).toBe(404);
    expect((await reply.json()).code).toBe('IMAGE_NOT_FOUND');
  });

  it('serves a picture that another replica stored', async () => {
    const other = await startReplica({ IMAGES_DIR: '' });
    const [here, there] = [await listTool('pink'), await listTool('plum', other)];

    const replies = await Promise.all([
      ask(here.cover_image, {}, other),
      ask(there.cover_image, {}, catalog),
    ]);

    await other.stop();
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('the command that moves pictures to a bucket', () => {
  let replica: Awaited<ReturnType<typeof startReplica>>;
  let tools: Tool[];
  const folder = () => ({ IMAGES_DIR: catalog.imagesDir });

  beforeAll(async () => {
    const before = await startReplica({ ...folder(), S3_URL: '' });
    tools = [await listTool('red', before), await listTool('gold', before)];
    await before.stop();
    replica = await startReplica(folder());
  });
  afterAll(() => replica.stop());

  it('moves and counts pictures while they are served, and moves none in a second run', async () => {
    const settings = { ...folder(), S3_URL: bucket.url };
    const statuses = new Set<number>();
    let isMoving = true;
    const visit = async (): Promise<void> => {
      while (isMoving)
        for (const { cover_image: path } of tools)
          statuses.add((await ask(path, {}, replica)).status);
    };
    const move = () =>
      movePictures('catalog', settings).finally(() => {
        isMoving = false;
      });

    const [first] = await Promise.all([move(), visit()]);
    const second = await movePictures('catalog', settings);

    expect([first.moved, second.moved]).toEqual([6, 0]);
    expect(await readdir(catalog.imagesDir)).toEqual([]);
    for (const { cover_image: path } of tools) statuses.add((await ask(path)).status);
    expect([...statuses]).toEqual([200]);
  });

  it('keeps the age of pictures, and leaves a picture in the folder if the bucket rejects it', async () => {
    const settings = { ...folder(), S3_URL: bucket.url };
    const images = await createImageStore(folder(), { prefix: 'tools', pool: catalog.pool });
    const path = await images.save('cover_image', await picture('lime'));
    const names = await readdir(catalog.imagesDir);
    const rejected = movePictures('catalog', {
      ...settings,
      S3_URL: bucket.url.replace('/test-', '/none-'),
    });
    await expect(rejected).rejects.toThrow('NoSuchBucket');
    const left = await readdir(catalog.imagesDir);
    const modified = (await ask(path, {}, replica)).headers.get('last-modified');

    await movePictures('catalog', settings);

    expect(left).toEqual(names);
    expect((await ask(path)).headers.get('last-modified')).toBe(modified);
  });
});

describe('the purge of pictures in a bucket', () => {
  const openStore = () =>
    createImageStore({ S3_URL: bucket.url }, { prefix: 'tools', pool: catalog.pool });
  const passTime = () =>
    catalog.pool.query(`UPDATE unused_pictures SET since = since - interval '8 days'`);

  it('deletes an unused picture in all widths after a week, and keeps a picture in use', async () => {
    const [gone, kept] = [await listTool('tan'), await listTool('coral')];
    await catalog.pool.query('UPDATE tools SET removed_at = now() WHERE id = $1', [gone.id]);
    const images = await openStore();
    const metrics = createMetrics('test');
    const purge = purgeToolPictures({ ...catalog, images, metrics } as never);
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * dayMs);

    await purge();
    await passTime();
    await purge();

    later.mockRestore();
    const hash = (tool: Tool) => tool.cover_image.split('-')[1] as string;
    const names = await namesInBucket();
    expect(names.filter((name) => name.includes(hash(gone)))).toEqual([]);
    expect(names.filter((name) => name.includes(hash(kept)))).toHaveLength(3);
  });

  it('keeps an unused picture that is uploaded again while the purge deletes it', async () => {
    const bytes = await picture('ivory');
    const images = await openStore();
    const path = await images.save('cover_image', bytes);
    await catalog.pool.query('INSERT INTO unused_pictures (path) VALUES ($1)', [path]);
    await passTime();
    const tx = await catalog.pool.connect();
    await tx.query('BEGIN');
    await tx.query('DELETE FROM unused_pictures WHERE path = $1', [path]);

    const uploaded = images.save('cover_image', bytes);
    const waits = waitFor('the upload to wait', async () => {
      const { rowCount } = await tx.query(
        'SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid',
      );
      return rowCount;
    });
    await Promise.race([uploaded, waits]);
    await images.remove(path, { since: 0, before: Date.now() + dayMs });
    await tx.query('COMMIT');
    tx.release();
    await uploaded;

    expect((await ask(path)).status).toBe(200);
  });

  it('keeps a picture that was saved before the uses of pictures were recorded, even if it was moved to the bucket later', async () => {
    const name = `tools-${'0'.repeat(31)}1-640.webp`;
    await bucket.put(name, Buffer.from('x'), { 'x-amz-meta-saved-at': '2020-01-01T00:00:00Z' });
    const images = await openStore();
    const path = `/api/images/${name}`;

    const wasRemoved = await images.remove(path, {
      since: Date.parse('2021-01-01'),
      before: Date.now() + dayMs,
    });
    const stayed = await namesInBucket();
    const isRemoved = await images.remove(path, { since: 0, before: Date.now() });

    expect([wasRemoved, isRemoved]).toEqual([false, true]);
    expect(stayed).toContain(name);
    expect(await namesInBucket()).not.toContain(name);
  });

  it('keeps a picture for another week after its removal failed', async () => {
    const path = '/api/images/tools-00000000000000000000000000000002-640.webp';
    const signals: (AbortSignal | undefined)[] = [];
    const images = {
      list: async () => [{ path, bytes: 1, savedAtMs: Date.now() - 2 * dayMs }],
      async remove(_path: string, _saved: unknown, signal?: AbortSignal) {
        signals.push(signal);
        throw new Error('No answer');
      },
    };
    const metrics = createMetrics('test');
    const purge = purgeToolPictures({ ...catalog, images, metrics } as never);
    await purge();
    await passTime();

    await expect(purge()).rejects.toThrow('1 pictures could not be removed');
    const again = await purge();

    expect(again).toBe(0);
    expect(signals).toEqual([expect.any(AbortSignal)]);
  });
});

describe('the catalog service without its S3 server', () => {
  let silent: Server;
  let unused: number;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    unused = await freePort();
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  const awayAt = (port: number, key = 'a:b') => `http://${key}@127.0.0.1:${port}/pictures`;
  const gone: [string, () => string][] = [
    ['the port is closed', () => awayAt(unused)],
    [
      'it accepts connections but does not reply',
      () => awayAt((silent.address() as AddressInfo).port),
    ],
    ['it rejects the key', () => bucket.url.replace(/:[^:@]+@/, ':wrong@')],
    ['the bucket is gone', () => bucket.url.replace('/test-', '/none-')],
  ];

  it.each(gone)('replies 503 only to uploads and picture requests when %s', async (_how, url) => {
    const replica = await startReplica({ S3_URL: url(), IMAGES_DIR: '' });
    const { cover_image: path } = await listTool('olive');
    const before = await countTools();
    const key = randomUUID();

    const rejected = await list({ cover_image: await picture('salmon') }, replica, key);
    const unseen = await ask(path, {}, replica);
    const tool = await list({}, replica);
    await waitFor('it to be ready without pictures', async () => {
      const ready = await ask('/readyz', {}, replica);
      const { degraded } = await ready.json();
      return ready.status === 200 && degraded === 'the store of pictures is away';
    });

    await replica.stop();
    for (const [status, body] of [
      [rejected.status, rejected.body],
      [unseen.status, await unseen.json()],
    ])
      expect([status, body.code, JSON.stringify(body)]).toEqual([
        503,
        'UNAVAILABLE',
        expect.not.stringContaining('127.0.0.1'),
      ]);
    expect(rejected.headers.get('retry-after')).toBe('5');
    expect(tool.status).toBe(201);
    expect(await countTools()).toBe(before + 1);
    // Once the server is back, the same request lists the tool.
    expect((await list({ cover_image: await picture('salmon') }, catalog, key)).status).toBe(201);
  });
});

describe('the configuration of pictures', () => {
  const settings = (changes: Record<string, string>) => () =>
    readConfig(config, { ...catalog.env, IMAGES_DIR: '', ...changes });

  it('accepts a folder or a bucket with its key, and shows no invalid value in errors', () => {
    expect(settings({})).toThrow('IMAGES_DIR: is missing');
    expect(settings({ S3_URL: 'https://key:secret@host/bucket' })).not.toThrow();
    for (const url of ['https://host/bucket', 'https://key:secret@host', 's3://key:secret@bucket'])
      expect(settings({ S3_URL: url })).toThrow(/^(?!.*secret)[\s\S]*S3_URL/);
  });
});
