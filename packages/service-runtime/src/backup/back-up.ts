import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { picturePrefixes } from '@lendtools/contracts';
import { type Logger, openPictures, type PictureSettings } from '@lendtools/service-kit';
import { copyPictures } from '../pictures/copy-pictures.ts';
import { dumpMongo, markMongo, rejectUsedMongo, restoreMongo, unmarkMongo } from './mongo.ts';
import {
  dumpPostgres,
  markPostgres,
  rejectUsedPostgres,
  restorePostgres,
  unmarkPostgres,
} from './postgres.ts';
import { inMongo, inPostgres, type Manifest, type Stores, withPictures } from './stores.ts';

const manifestName = 'manifest.json';
const inBackup = (folder: string, service: string): PictureSettings => ({
  IMAGES_DIR: path.join(folder, 'pictures', service),
});

/** Works on one key at a time, because a backup should leave the servers' capacity to the site. */
const oneByOne = async <K extends string, T>(
  keys: readonly K[],
  work: (key: K) => Promise<T>,
): Promise<Record<K, T>> => {
  const done = {} as Record<K, T>;
  for (const key of keys) done[key] = await work(key);
  return done;
};

/**
 * Copies all stores into an empty folder while the marketplace runs. Their order keeps the backup consistent:
 * 1. Notifications, then messaging. Consumers are copied before publishers, so that the backup contains each event whose effects it
 * contains.
 * 2. All PostgreSQL databases at one instant, because they consume each other's events.
 * 3. The pictures, which are always written before a row refers to them.
 */
export const backUp = async (stores: Stores, folder: string): Promise<Manifest> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
  const takenAt = new Date().toISOString();
  const folderOf = (service: string): string => path.join(folder, service);
  const { databases, pictures } = stores;
  const mongo = await oneByOne(inMongo, (name) => dumpMongo(databases[name], folderOf(name)));
  const manifest: Manifest = {
    format: 1,
    takenAt,
    mongo,
    postgres: await dumpPostgres(pickPostgres(databases), folderOf),
    pictures: await oneByOne(withPictures, (name) =>
      saveCopies(name, { from: pictures[name], to: inBackup(folder, name) }),
    ),
  };
  await writeFile(path.join(folder, manifestName), JSON.stringify(manifest, null, 2), {
    mode: 0o600,
  });
  return manifest;
};

interface Restoring {
  logger: Logger;
  emptyWith: string;
  begins?: () => Promise<void>;
}

/**
 * Fills empty databases from a backup.
 * @throws Error if a database is in use, before anything is written
 */
export const restore = async (
  stores: Stores,
  folder: string,
  { logger, emptyWith, begins }: Restoring,
): Promise<Manifest> => {
  const manifest = await readManifest(folder);
  const { databases } = stores;
  try {
    for (const name of inPostgres) await rejectUsedPostgres(name, databases[name]);
    for (const name of inMongo) await rejectUsedMongo(name, databases[name]);
  } catch (error) {
    throw new Error(
      `${(error as Error).message} Nothing was written. If a restore has failed before, empty everything first: ${emptyWith}`,
    );
  }
  await begins?.();
  try {
    await fill(stores, folder, { manifest, logger });
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\nOnly a part is restored. Start nothing on it; empty everything before the next try: ${emptyWith}`,
      { cause: error },
    );
  }
  return manifest;
};

const fill = async (
  { databases, pictures }: Stores,
  folder: string,
  { manifest, logger }: { manifest: Manifest; logger: Logger },
): Promise<void> => {
  for (const name of inPostgres) await markPostgres(databases[name]);
  for (const name of inMongo) await markMongo(databases[name]);
  for (const name of withPictures)
    await saveCopies(name, { from: inBackup(folder, name), to: pictures[name] });
  for (const name of inPostgres) {
    const dump = manifest.postgres[name];
    await restorePostgres(name, databases[name], {
      dump,
      logger,
      folder: path.join(folder, name),
    });
  }
  for (const name of inMongo) {
    const counts = manifest.mongo[name];
    await restoreMongo(databases[name], { counts, folder: path.join(folder, name) });
  }
  for (const name of inPostgres) await unmarkPostgres(databases[name]);
  for (const name of inMongo) await unmarkMongo(databases[name]);
};

const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(path.join(folder, manifestName), 'utf8').catch(() => {
    throw new Error(`${folder} contains no complete backup: there is no ${manifestName}.`);
  });
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new Error(`${folder} was written by a newer version.`);
  return manifest;
};

const pickPostgres = (databases: Stores['databases']) => {
  const { accounts, catalog, bookings, payments } = databases;
  return { accounts, catalog, bookings, payments };
};

/** Returns the number of files. Skips files that a purge deletes meanwhile. */
const saveCopies = async (
  service: (typeof withPictures)[number],
  { from, to }: { from: PictureSettings; to: PictureSettings },
): Promise<number> => {
  if (to.IMAGES_DIR) await mkdir(to.IMAGES_DIR, { recursive: true });
  const prefix = picturePrefixes[service];
  const target = (await openPictures(to, prefix)).at(-1);
  const names = new Set<string>();
  for (const place of await openPictures(from, prefix))
    await copyPictures(place, async ({ name }, { content, savedAtMs }) => {
      await target?.write(name, content, savedAtMs);
      names.add(name);
    });
  return names.size;
};
