import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { saveCategory } from '../category-repository.ts';
import type { Deps } from '../deps.ts';
import { categoryNotFound } from '../errors.ts';

export const updateCategory = ({ pool, images: store }: Deps): BoundRoute =>
  handle(routes.updateCategory, async ({ params, body, images }) => {
    const image = images.image && (await store.save('image', images.image));
    const category = await saveCategory(pool, { id: params.id, name: body.name, image });
    if (!category) throw categoryNotFound();
    return { message: 'Category updated successfully', category };
  });
