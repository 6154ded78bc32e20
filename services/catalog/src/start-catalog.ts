import { fileURLToPath } from 'node:url';
import { picturePrefixes } from '@lendtools/contracts';
import { createImageStore, type Running } from '@lendtools/service-kit';
import { startPostgresService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import { purgePastDates } from './bookings/purge-past-dates/purge-past-dates.ts';
import { purgeUnpaidHolds } from './bookings/purge-unpaid-holds/purge-unpaid-holds.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { toolLimits } from './domain/limits.ts';
import { purgeToolPictures } from './pictures/purge-tool-pictures/purge-tool-pictures.ts';
import { countVocabulary } from './search/count-vocabulary/count-vocabulary.ts';
import { purgeRemovedTools } from './tools/purge-removed-tools/purge-removed-tools.ts';

type Options = Pick<Parameters<typeof startPostgresService>[2], 'authenticator' | 'topology'>;

export const catalogMigrations = fileURLToPath(new URL('../migrations/', import.meta.url));

export const startCatalog = (config: Config, options: Options = {}): Promise<Running> =>
  startPostgresService('catalog', config, {
    ...options,
    migrations: catalogMigrations,
    async build(serviceDeps) {
      const { pool } = serviceDeps;
      const images = await createImageStore(config, { prefix: picturePrefixes.catalog, pool });
      const deps: Deps = {
        ...serviceDeps,
        images,
        limits: toolLimits(config.RATE_LIMIT_FACTOR),
        requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
      };
      return {
        routes: routes(deps),
        consumers: consumers(deps),
        purges: {
          unpaid_holds: () => purgeUnpaidHolds(pool),
          past_dates: () => purgePastDates(pool),
          removed_tools: () => purgeRemovedTools(pool),
          vocabulary_changes: () => countVocabulary(pool),
          pictures: purgeToolPictures(deps),
        },
        lacks: images.lacks,
      };
    },
  });
