import { routes, type Tool, toCents } from '@lendtools/contracts';
import { type BoundRoute, handle, inTransaction, violatedConstraint } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { categoryNotFound, toolNotFound } from '../errors.ts';
import { readOwnTool } from '../own-tool.ts';
import { saveToolImages } from '../tool-images.ts';
import { viewerOf } from '../tool-json.ts';
import { lockTool, readToolJson, saveTool, tellOfTools } from '../tool-repository.ts';

/**
 * Saves what is given and makes the tool Available; with nothing given that is the re-list. The documented `rating`,
 * `userId` and `item_status` are not among the fields: a body never changes them.
 */
export const updateTool = ({ pool, images: store }: Deps): BoundRoute =>
  handle(routes.updateRental, async ({ params, body, images: uploads, user }) => {
    await readOwnTool(pool, params.id, user);
    const removed = (body.removeImages ?? []).map((field) => [field, null] as const);
    const images = {
      ...Object.fromEntries(removed),
      ...(await saveToolImages(store, uploads)),
    };
    const fields = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.description !== undefined && { description: body.description }),
      ...(body.price !== undefined && { priceCents: toCents(body.price) }),
      ...(body.rental_circle !== undefined && { rentalCircle: body.rental_circle }),
      ...(body.categoryId !== undefined && { categoryId: body.categoryId }),
      ...(body.quantity !== undefined && { units: body.quantity }),
    };
    const isRelist = Object.keys(fields).length + Object.keys(images).length === 0;

    return inTransaction(pool, async (tx) => {
      if (!(await lockTool(tx, params.id))) throw toolNotFound();
      await saveTool(tx, params.id, { fields, images, now: new Date() }).catch((error: unknown) => {
        throw violatedConstraint(error) === 'tools_category_id_fkey' ? categoryNotFound() : error;
      });
      await tellOfTools(tx, 'ToolUpdated', [params.id]);
      const json = (await readToolJson(tx, params.id, viewerOf(user))) as string;
      return {
        message: isRelist ? 'Your tool is now available for rent' : 'Your tool is updated',
        rental: JSON.parse(json) as Tool,
      };
    });
  });
