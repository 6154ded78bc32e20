import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle, inTransaction } from '@lendtools/service-kit';
import { deleteUnusedCategory } from '../category-repository.ts';
import type { Deps } from '../deps.ts';
import { categoryInUse, categoryNotFound } from '../errors.ts';

export const deleteCategory = ({ pool }: Deps): BoundRoute =>
  handle(routes.deleteCategory, async ({ params }) => {
    const outcome = await inTransaction(pool, (tx) => deleteUnusedCategory(tx, params.id));
    if (outcome === 'unknown') throw categoryNotFound();
    if (outcome === 'in use') throw categoryInUse();
    return { message: 'Category deleted successfully' };
  });
