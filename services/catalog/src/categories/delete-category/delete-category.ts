import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { type BoundRoute, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { categoryInUse, categoryNotFound } from '../../domain/errors.ts';
import { isCategoryUsed, lockCategory, removeCategory } from '../../store/category-repository.ts';

/** Deletes an unused category. A concurrent request to list a tool in the category waits, and then fails. */
export const deleteCategory = ({ pool }: Deps): BoundRoute =>
  handle(routes.deleteCategory, async ({ params: { id } }) => {
    await inTransaction(pool, async (tx) => {
      const version = await lockCategory(tx, id);
      if (version === undefined) throw categoryNotFound();
      if (await isCategoryUsed(tx, id)) throw categoryInUse();
      await removeCategory(tx, id);
      const aggregate = { id, version: version + 1 };
      await addToOutbox(tx, newEvent('CategoryRemoved', aggregate, { categoryId: id }));
    });
    return { message: 'Category deleted successfully' };
  });
