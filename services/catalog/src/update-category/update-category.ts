import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import type { CatalogDeps } from '../app.ts';
import { updateCategory } from '../category-repository.ts';
import { categoryNotFound } from '../errors.ts';

export const changeCategory = ({ pool, images: store }: CatalogDeps): BoundRoute =>
  handle(routes.updateCategory, async ({ params, body, images }) => {
    const image = images.image && (await store.save('image', images.image));
    const category = await updateCategory(pool, { id: params.id, name: body.name, image });
    if (!category) throw categoryNotFound();
    return { message: 'Category updated successfully', category };
  });
