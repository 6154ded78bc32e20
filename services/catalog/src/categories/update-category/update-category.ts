import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { type BoundRoute, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { categoryNotFound } from '../../domain/errors.ts';
import { saveCategory } from '../../store/category-repository.ts';

export const updateCategory = ({ pool, images: store }: Deps): BoundRoute =>
  handle(routes.updateCategory, async ({ params, body, images, user }) => {
    const image = images.image && (await store.save('image', images.image, user.userId));
    const category = await inTransaction(pool, async (tx) => {
      const saved = await saveCategory(tx, { id: params.id, name: body.name, image });
      if (!saved) throw categoryNotFound();
      const { version, ...category } = saved;
      const { id, ...data } = category;
      await addToOutbox(
        tx,
        newEvent('CategoryUpdated', { id, version }, { categoryId: id, ...data }),
      );
      return category;
    });
    return { message: 'Category updated successfully', category };
  });
