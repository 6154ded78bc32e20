import type { ImageStore, Pool } from '@lendtools/service-kit';

/** What the use cases of catalog work with. */
export interface Deps {
  pool: Pool;
  images: ImageStore;
}
