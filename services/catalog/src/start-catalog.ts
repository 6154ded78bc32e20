import { startPostgresService } from '@lendtools/event-bus';
import { createImageStore, type Running } from '@lendtools/service-kit';
import { routes } from './app.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { toolLimits } from './domain/limits.ts';
import { forgetPictures } from './forget-pictures/forget-pictures.ts';
import { forgetRemovedTools } from './forget-removed-tools/forget-removed-tools.ts';
import { forgetUnpaidHolds } from './forget-unpaid-holds/forget-unpaid-holds.ts';

type Options = Pick<Parameters<typeof startPostgresService>[2], 'authenticator' | 'topology'>;

export const catalogMigrations = new URL('../migrations/', import.meta.url).pathname;

export const startCatalog = async (config: Config, options: Options = {}): Promise<Running> => {
  const images = await createImageStore(config.IMAGES_DIR, 'tools');
  return startPostgresService(
    'catalog',
    { ...config, DATABASE_URL: withSearchSettings(config.DATABASE_URL) },
    {
      ...options,
      migrations: catalogMigrations,
      build(serviceDeps) {
        const { pool } = serviceDeps;
        const deps: Deps = { ...serviceDeps, images, limits: toolLimits(config.RATE_LIMIT_FACTOR) };
        return {
          routes: routes(deps),
          consumers: consumers(deps),
          purges: {
            unpaid_holds: () => forgetUnpaidHolds(pool),
            removed_tools: () => forgetRemovedTools(pool),
            pictures: forgetPictures(deps),
          },
        };
      },
    },
  );
};

/**
 * The operator `<%` takes its threshold from the session. PostgreSQL's own 0.6 already loses "genrator" (0.58) and
 * "presure wahser" (0.53); swapped letters score less ("chiansaw" 0.38). At 0.33 a search for a ladder that is out
 * would offer a laser and a lawn mower.
 */
const withSearchSettings = (databaseUrl: string): string => {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c pg_trgm.word_similarity_threshold=0.35');
  return url.toString();
};
