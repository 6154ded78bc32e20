import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { readCategories } from '../category-repository.ts';
import type { Deps } from '../deps.ts';

export const listCategories = ({ pool }: Deps): BoundRoute =>
  handle(routes.allCategories, async () => ({ allCategories: await readCategories(pool) }));
