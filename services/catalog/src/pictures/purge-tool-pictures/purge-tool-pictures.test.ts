import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { createImageStore, createMetrics, type Purge } from '@lendtools/service-kit';
import { bookingOf } from '../../../test/bookings.ts';
import {
  type CatalogService,
  formOf,
  type Person,
  picture,
  startCatalogForTest,
  toolFields,
} from '../../../test/catalog-service.ts';
import { purgeToolPictures } from './purge-tool-pictures.ts';

let catalog: CatalogService;
let owner: Person;
let categoryId: string;
let purge: Purge;

const openStore = () =>
  createImageStore({ IMAGES_DIR: catalog.imagesDir }, { prefix: 'tools', pool: catalog.pool });

const metrics = createMetrics('test');

beforeAll(async () => {
  catalog = await startCatalogForTest();
  owner = await catalog.addOwner();
  categoryId = await catalog.addCategory();
  const images = await openStore();
  purge = purgeToolPictures({ ...catalog, images, metrics } as never);
});
afterAll(() => catalog.stop());

const list = async (files: Record<string, Buffer>): Promise<Tool> => {
  const body = formOf({ ...toolFields, categoryId }, files);
  const added = await catalog.http.post(`/api/user/${owner.id}/add-rental`, {
    token: owner.token,
    body,
  });
  return added.body.rental;
};

const replaceCover = async ({ id }: Tool, cover: Buffer): Promise<Tool> => {
  const body = formOf({}, { cover_image: cover });
  const saved = await catalog.http.put(`/api/update-rental/${id}`, { token: owner.token, body });
  return saved.body.rental;
};

const isThere = async (imagePath: string): Promise<boolean> =>
  (await fetch(new URL(imagePath, catalog.url))).status === 200;

/** Backdates stored pictures by two days, and the records of unused pictures by eight days. */
const passTime = async (): Promise<void> => {
  const before = new Date(Date.now() - 2 * 86_400_000);
  for (const name of await readdir(catalog.imagesDir))
    await utimes(path.join(catalog.imagesDir, name), before, before);
  await catalog.pool.query(`UPDATE unused_pictures SET since = since - interval '8 days'`);
};

/** Purges twice, with a week in between: a purge deletes only pictures that have been recorded as unused for a week. */
const purgeAfterAWeek = async (): Promise<number> => {
  await passTime();
  const first = await purge();
  await passTime();
  return first + (await purge());
};

describe('the purge of pictures', () => {
  it('deletes a replaced picture in all widths after a week, and keeps a picture in use', async () => {
    const tool = await list({ cover_image: await picture('red'), image1: await picture('green') });
    const { cover_image: now } = await replaceCover(tool, await picture('blue'));
    await passTime();

    const atOnce = await purge();
    const after = await purgeAfterAWeek();

    expect([atOnce, after]).toEqual([0, 1]);
    expect(await isThere(tool.cover_image)).toBe(false);
    expect(await isThere(tool.image1)).toBe(true);
    expect(await isThere(now)).toBe(true);
    const left = (await readdir(catalog.imagesDir)).filter((name) =>
      name.startsWith(path.basename(tool.cover_image, '-640.webp')),
    );
    expect(left).toEqual([]);
  });

  it('keeps the cover picture that a removed tool had when it was booked, and deletes its other pictures', async () => {
    const tool = await list({ cover_image: await picture('gold'), image1: await picture('pink') });
    const booked = await catalog.broker.sendNew('BookingCreated', bookingOf(tool));
    await catalog.handled('catalog.update-status-when-booking-changed', booked);
    await catalog.pool.query('UPDATE tools SET removed_at = now() WHERE id = $1', [tool.id]);

    await purgeAfterAWeek();

    expect(await isThere(tool.cover_image)).toBe(true);
    expect(await isThere(tool.image1)).toBe(false);
  });

  it('keeps a picture of two tools as long as one of them uses it', async () => {
    const shared = await picture('navy');
    const [first, second] = [await list({ cover_image: shared }), await list({ image1: shared })];
    await replaceCover(first, await picture('gray'));

    await purgeAfterAWeek();

    expect(second.image1).toBe(first.cover_image);
    expect(await isThere(second.image1)).toBe(true);
  });

  it('keeps an unused picture that is uploaded again', async () => {
    const wanted = await picture('olive');
    const tool = await list({ cover_image: wanted });
    await replaceCover(tool, await picture('lime'));
    await passTime();
    await purge();
    await passTime();

    const again = await list({ cover_image: wanted });
    await purge();

    expect(await isThere(again.cover_image)).toBe(true);
  });

  it('deletes the picture of a failed upload, but no sooner than other unused pictures', async () => {
    const images = await openStore();
    const lost = await images.save('cover_image', await picture('salmon'));

    await purge();
    const { rows } = await catalog.pool.query('SELECT path FROM unused_pictures');
    await purgeAfterAWeek();

    expect(rows).not.toContainEqual({ path: lost });
    expect(await isThere(lost)).toBe(false);
  });

  it('deletes a picture even if another one could not be removed', async () => {
    const images = await openStore();
    const [stuck, gone] = [
      await images.save('cover_image', await picture('teal')),
      await images.save('cover_image', await picture('orchid')),
    ];
    // List first the picture that cannot be removed, so that the purge reaches the other picture after this failure.
    const list = async () => {
      const pictures = await images.list();
      return pictures.sort((a, b) => Number(b.path === stuck) - Number(a.path === stuck));
    };
    const remove: typeof images.remove = async (path, saved, signal) => {
      if (path === stuck) throw new Error('Permission denied');
      return images.remove(path, saved, signal);
    };
    const purgeOfFaultyStore = purgeToolPictures({
      ...catalog,
      images: { ...images, list, remove },
      metrics: createMetrics('test'),
    } as never);
    await passTime();
    await purge();
    await passTime();

    await expect(purgeOfFaultyStore()).rejects.toThrow('1 pictures could not be removed');

    expect(await isThere(gone)).toBe(false);
    expect(await isThere(stuck)).toBe(true);
  });

  it('keeps every picture saved before a booking whose cover picture is unknown', async () => {
    const tool = await list({ cover_image: await picture('plum') });
    const booked = await catalog.broker.sendNew('BookingCreated', bookingOf(tool));
    await catalog.handled('catalog.update-status-when-booking-changed', booked);
    await replaceCover(tool, await picture('tan'));
    await catalog.pool.query(
      'UPDATE tool_bookings SET cover_image = NULL, booked_at = now() WHERE tool_id = $1',
      [tool.id],
    );

    await purgeAfterAWeek();

    expect(await isThere(tool.cover_image)).toBe(true);
  });
});

describe('the metrics of pictures', () => {
  it('contain the total size of all pictures', async () => {
    await purge();

    const text = await metrics.registry.metrics();
    expect(text).toMatch(/pictures_bytes\{service="test"\} [1-9]\d+/);
  });
});

describe('the picture store', () => {
  it('restores a picture if a crash interrupted the removal', async () => {
    const images = await openStore();
    const tool = await list({ cover_image: await picture('coral') });
    const name = path.basename(tool.cover_image);
    const { rename } = await import('node:fs/promises');
    const at = (file: string): string => path.join(catalog.imagesDir, file);
    await rename(at(name), at(`.aside-${name}`));

    await images.list();

    expect(await isThere(tool.cover_image)).toBe(true);
  });

  it('does not remove a picture that has been saved again in the meantime', async () => {
    const images = await openStore();
    const tool = await list({ cover_image: await picture('ivory') });

    await images.remove(tool.cover_image, { since: 0, before: Date.now() - 86_400_000 });

    expect(await isThere(tool.cover_image)).toBe(true);
  });
});
