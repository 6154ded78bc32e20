import { isDeepStrictEqual } from 'node:util';
import { type Body, routes, type Tool, toCents } from '@lendtools/contracts';
import {
  actAsAdmin,
  type BoundRoute,
  type Caller,
  checkRevision,
  forbidden,
  handle,
  inTransaction,
  type Pool,
  spend,
  spendUploads,
  violatedConstraint,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { categoryNotFound, toolNotFound } from '../../domain/errors.ts';
import type { ToolFields } from '../../domain/tool.ts';
import { refreshStatus } from '../../store/tool-booking-repository.ts';
import { viewerOf } from '../../store/tool-json.ts';
import {
  lockTool,
  publishTools,
  readTool,
  readToolJson,
  type StoredTool,
  saveToolPickUp,
  updateToolRow,
} from '../../store/tool-repository.ts';
import { readPickUp } from '../pick-up-place.ts';
import { saveToolImages } from '../tool-images.ts';

type ToolEdit = Body<typeof routes.updateRental>;

/** Edits a tool. An edit also lists the tool again, unless the body pauses the tool or has only terms. Ignores `rating` and `userId`. */
export const updateTool = ({ pool, images: store, limits }: Deps): BoundRoute =>
  handle(routes.updateRental, async ({ params, body, images: uploads, user, request }) => {
    const tool = await readTool(pool, params.id);
    if (!tool) throw toolNotFound();
    if (!isOwnTool(tool, user)) {
      const rental = await readUnchanged(pool, { tool, body, uploads, user });
      return { message: 'This tool stays as it is: only its owner changes it.', rental };
    }
    if (tool.ownerId !== user.userId) actAsAdmin();
    // Check the revision early too, so that a stale edit uses up no upload quota.
    checkRevision(request, tool.revision, 'tool');
    const megabytesPerDay = limits.uploadMegabytesPerDay;
    await spendUploads(pool, user.userId, { images: uploads, megabytesPerDay });
    const removed = (body.removeImages ?? []).map((field) => [field, null] as const);
    const images = {
      ...Object.fromEntries(removed),
      ...(await saveToolImages(store, uploads, user.userId)),
    };
    const fields = fieldsOf(body);
    const { imageOrder } = body;
    const pickUp = await readPickUp(pool, tool.ownerId, body);
    const isRelist =
      Object.keys(fields).length + Object.keys(images).length === 0 &&
      imageOrder === undefined &&
      pickUp === undefined;
    const isTermsAlone = Object.keys(body).join() === 'terms' && Object.keys(images).length === 0;
    const status = isTermsAlone ? undefined : (body.item_status ?? 'Available');

    return inTransaction(pool, async (tx) => {
      const locked = await lockTool(tx, params.id);
      if (!locked) throw toolNotFound();
      checkRevision(request, locked.revision, 'tool');
      await spend(tx, user.userId, limits.edits);
      const changes = { fields, images, imageOrder, status, now: new Date() };
      await updateToolRow(tx, params.id, changes).catch((error: unknown) => {
        throw violatedConstraint(error) === 'tools_category_id_fkey' ? categoryNotFound() : error;
      });
      // The new terms may let the tool stay listed when booked, so recompute the status.
      if (isTermsAlone) await refreshStatus(tx, (await lockTool(tx, params.id)) as StoredTool);
      if (pickUp !== undefined) await saveToolPickUp(tx, params.id, pickUp);
      await publishTools(tx, 'ToolUpdated', [params.id]);
      const json = (await readToolJson(tx, params.id, viewerOf(user))) as string;
      const rental = JSON.parse(json) as Tool;
      return { message: messageOf(rental, status, isRelist), rental };
    });
  });

const isOwnTool = (tool: StoredTool, user: Caller): boolean =>
  tool.ownerId === user.userId || user.role === 'Admin';

const fieldsOf = (body: ToolEdit): Partial<ToolFields> => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.description !== undefined && { description: body.description }),
  ...(body.price !== undefined && { priceCents: toCents(body.price) }),
  ...(body.rental_circle !== undefined && { rentalCircle: body.rental_circle }),
  ...(body.categoryId !== undefined && { categoryId: body.categoryId }),
  ...(body.quantity !== undefined && { units: body.quantity }),
  ...(body.terms !== undefined && { terms: body.terms }),
});

const messageOf = (
  { hiddenReason }: Tool,
  status: Tool['item_status'] | undefined,
  isRelist: boolean,
): string => {
  if (hiddenReason !== undefined)
    return 'Your changes are saved. LendTools has hidden this tool, and it stays hidden.';
  if (status === 'Unavailable') return 'Your tool is paused until you list it again';
  return isRelist ? 'Your tool is now available for rent' : 'Your tool is updated';
};

const sameFields = [
  'name',
  'description',
  'price',
  'rental_circle',
  'categoryId',
  'quantity',
] as const;

const pickUpFields = ['pickup_lat', 'pickup_lng', 'pickup_zip'] as const;

/**
 * Returns the unchanged tool: a renter's client may resend it with another status and rating.
 * @throws AppError 403 if anything else differs
 */
const readUnchanged = async (
  pool: Pool,
  edit: { tool: StoredTool; body: ToolEdit; uploads: Record<string, Buffer>; user: Caller },
): Promise<Tool> => {
  const { tool, body, uploads, user } = edit;
  const json = await readToolJson(pool, tool.id, viewerOf(user));
  if (!json) throw toolNotFound();
  const rental = JSON.parse(json) as Tool;
  const isSame =
    body.item_status !== undefined &&
    body.removeImages === undefined &&
    pickUpFields.every((field) => body[field] === undefined) &&
    body.imageOrder === undefined &&
    (body.terms === undefined || isDeepStrictEqual(body.terms, rental.terms ?? null)) &&
    Object.keys(uploads).length === 0 &&
    sameFields.every((field) => body[field] === undefined || body[field] === rental[field]);
  if (!isSame) throw forbidden();
  return rental;
};
