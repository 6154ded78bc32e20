import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import type { CatalogDeps } from '../app.ts';
import { listCategories } from '../category-repository.ts';

export const allCategories = ({ pool }: CatalogDeps): BoundRoute =>
  handle(routes.allCategories, async () => ({ allCategories: await listCategories(pool) }));
