import { randomUUIDv7 } from 'node:crypto';
import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { type BoundRoute, handle, once } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { insertCategory } from '../../store/category-repository.ts';

export const addCategory = ({ pool, images: store }: Deps): BoundRoute =>
  handle(routes.addCategory, async ({ body, images, user, idempotencyKey }) => {
    const image = images.image ? await store.save('image', images.image, user.userId) : null;
    const content = { name: body.name, image };
    const request = {
      key: idempotencyKey,
      scope: user.userId,
      route: 'add-rentals-main-category',
      content,
    };
    return once(pool, request, async (tx) => {
      const { version, ...category } = await insertCategory(tx, { id: randomUUIDv7(), ...content });
      const { id, ...data } = category;
      await addToOutbox(
        tx,
        newEvent('CategoryAdded', { id, version }, { categoryId: id, ...data }),
      );
      return { message: 'Category added successfully', category };
    });
  });
