import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@lendtools/contracts';
import type { PictureSettings } from '@lendtools/service-kit';
import { postgresMigrations } from '../start-service.ts';

export const inPostgres = ['accounts', 'catalog', 'bookings', 'payments'] as const;
/** Consumers come before publishers: see `backUp`. */
export const inMongo = ['notifications', 'messaging'] as const;
export const withPictures = ['accounts', 'catalog'] as const;

export interface Stores {
  databases: Record<ServiceName, string>;
  pictures: Record<(typeof withPictures)[number], PictureSettings>;
}

const databaseSettings = [
  ...inPostgres.map((service) => [service, 'DATABASE_URL'] as const),
  ...inMongo.map((service) => [service, 'MONGO_URL'] as const),
];

/** Prefixes a setting with its service, because one command reads the settings of all services. */
const asOne = (service: string, name: string): string => `${service.toUpperCase()}_${name}`;
const eitherOf = (service: string): string =>
  `${asOne(service, 'IMAGES_DIR')} or ${asOne(service, 'S3_URL')}`;

export const storeSettings = [
  ...databaseSettings.map(([service, name]) => asOne(service, name)),
  ...withPictures.map(eitherOf),
];

export const storesOf = (env: NodeJS.Dict<string>): { stores: Stores; missing: string[] } => {
  const databases = {} as Stores['databases'];
  const missing: string[] = [];
  for (const [service, name] of databaseSettings) {
    const url = env[asOne(service, name)];
    if (url) databases[service] = url;
    else missing.push(asOne(service, name));
  }
  const pictures = picturesOf(env);
  for (const service of withPictures) {
    const { IMAGES_DIR, S3_URL } = pictures[service];
    if (!IMAGES_DIR && !S3_URL) missing.push(eitherOf(service));
  }
  return { stores: { databases, pictures }, missing };
};

export const picturesOf = (env: NodeJS.Dict<string>): Stores['pictures'] => {
  const ofService = (service: string): PictureSettings => ({
    IMAGES_DIR: env[asOne(service, 'IMAGES_DIR')],
    S3_URL: env[asOne(service, 'S3_URL')],
  });
  return { accounts: ofService('accounts'), catalog: ofService('catalog') };
};

export const asStoreSettings = (
  settings: Record<string, Record<string, string>>,
): NodeJS.Dict<string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([service, env]) =>
      Object.entries(env).map(([name, value]) => [asOne(service, name), value]),
    ),
  );

export const migrationsOf = (service: (typeof inPostgres)[number]): Record<string, string> =>
  postgresMigrations(
    fileURLToPath(new URL(`../../../../services/${service}/migrations`, import.meta.url)),
  );

/** The manifest is written last, so a backup without one is incomplete. */
export interface Manifest {
  format: 1;
  takenAt: string;
  postgres: Record<(typeof inPostgres)[number], DatabaseDump>;
  /** The number of documents in each collection. */
  mongo: Record<(typeof inMongo)[number], Record<string, number>>;
  pictures: Record<(typeof withPictures)[number], number>;
}

export interface DatabaseDump {
  migrations: string[];
  tables: TableDump[];
  jobs: number;
  sequences: Record<string, number>;
}

export interface TableDump {
  name: string;
  columns: string[];
  rows: number;
}
