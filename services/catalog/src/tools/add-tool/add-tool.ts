import { randomUUIDv7 } from 'node:crypto';
import { routes, type Tool, toCents } from '@lendtools/contracts';
import {
  type BoundRoute,
  emailNotVerified,
  handle,
  once,
  type Pool,
  spend,
  spendUploads,
  type Transaction,
  violatedConstraint,
  waitUntil,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import {
  addressMissing,
  categoryNotFound,
  ownerUnknown,
  tooManyTools,
} from '../../domain/errors.ts';
import type { ToolLimits } from '../../domain/limits.ts';
import { isCategoryKnown } from '../../store/category-repository.ts';
import { findOwner } from '../../store/owner-repository.ts';
import { type Viewer, viewerOf } from '../../store/tool-json.ts';
import {
  insertTool,
  lockAndCountTools,
  publishTools,
  readToolJson,
} from '../../store/tool-repository.ts';
import { readPickUp } from '../pick-up-place.ts';
import { saveToolImages } from '../tool-images.ts';

/** Lists a tool. A repeat with the same Idempotency-Key returns the tool created first. */
export const addTool = ({ pool, images: store, limits, requireVerifiedEmail }: Deps): BoundRoute =>
  handle(routes.addRental, async ({ params, body, images: uploads, user, idempotencyKey }) => {
    if (!(await isCategoryKnown(pool, body.categoryId))) throw categoryNotFound();
    const owner = await waitForOwner(pool, params.userId);
    if (requireVerifiedEmail && !owner.emailVerified) throw emailNotVerified('list a tool');
    const pickUp = (await readPickUp(pool, params.userId, body)) ?? null;
    const megabytesPerDay = limits.uploadMegabytesPerDay;
    await spendUploads(pool, user.userId, { images: uploads, megabytesPerDay });
    const images = await saveToolImages(store, uploads, user.userId);
    const tool = {
      id: randomUUIDv7(),
      ownerId: params.userId,
      name: body.name,
      description: body.description,
      priceCents: toCents(body.price),
      rentalCircle: body.rental_circle,
      categoryId: body.categoryId,
      units: body.quantity,
      terms: body.terms ?? null,
      images,
      pickUp,
      now: new Date(),
    };
    const request = {
      key: idempotencyKey,
      scope: params.userId,
      route: 'add-rental',
      content: { body, images },
    };
    return once(pool, request, async (tx) => {
      await limitListings(tx, params.userId, limits);
      return list(tx, tool, viewerOf(user));
    });
  });

const limitListings = async (
  tx: Transaction,
  ownerId: string,
  limits: ToolLimits,
): Promise<void> => {
  if ((await lockAndCountTools(tx, ownerId)) >= limits.tools) throw tooManyTools(limits.tools);
  await spend(tx, ownerId, limits.listings);
};

const list = async (
  tx: Transaction,
  tool: Parameters<typeof insertTool>[1],
  viewer: Viewer,
): Promise<{ message: string; rental: Tool }> => {
  await insertTool(tx, tool).catch((error: unknown) => {
    // The category was deleted after it was checked.
    throw violatedConstraint(error) === 'tools_category_id_fkey' ? categoryNotFound() : error;
  });
  await publishTools(tx, 'ToolListed', [tool.id]);
  const json = (await readToolJson(tx, tool.id, viewer)) as string;
  return { message: 'Your tool is now listed for rent', rental: JSON.parse(json) as Tool };
};

/**
 * Waits for the owner and their address, whose events may arrive late.
 * @throws AppError 409 OWNER_UNKNOWN or ADDRESS_MISSING after two seconds
 */
const waitForOwner = async (pool: Pool, ownerId: string): Promise<{ emailVerified: boolean }> => {
  const owner = await waitUntil(
    () => findOwner(pool, ownerId),
    (found) => Boolean(found?.city),
  );
  if (!owner) throw ownerUnknown();
  if (!owner.city) throw addressMissing();
  return owner;
};
