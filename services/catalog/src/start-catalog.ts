import { createImageStore, type Running } from '@lendtools/service-kit';
import { startPostgresService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import { countVocabulary } from './count-vocabulary/count-vocabulary.ts';
import type { Deps } from './deps.ts';
import { toolLimits } from './domain/limits.ts';
import { forgetPictures } from './forget-pictures/forget-pictures.ts';
import { forgetRemovedTools } from './forget-removed-tools/forget-removed-tools.ts';
import { forgetUnpaidHolds } from './forget-unpaid-holds/forget-unpaid-holds.ts';

type Options = Pick<Parameters<typeof startPostgresService>[2], 'authenticator' | 'topology'>;

export const catalogMigrations = new URL('../migrations/', import.meta.url).pathname;

export const startCatalog = async (config: Config, options: Options = {}): Promise<Running> => {
  const images = await createImageStore(config.IMAGES_DIR, 'tools');
  return startPostgresService('catalog', config, {
    ...options,
    migrations: catalogMigrations,
    build(serviceDeps) {
      const { pool } = serviceDeps;
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
          unpaid_holds: () => forgetUnpaidHolds(pool),
          removed_tools: () => forgetRemovedTools(pool),
          vocabulary_changes: () => countVocabulary(pool),
          pictures: forgetPictures(deps),
        },
      };
    },
  });
};
