import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { readCategories } from '../../store/category-repository.ts';

export const listCategories = ({ pool }: Deps): BoundRoute =>
  handle(routes.allCategories, async () => ({ allCategories: await readCategories(pool) }));
