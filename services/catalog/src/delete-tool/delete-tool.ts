import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { type BoundRoute, forbidden, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { toolHasBookings, toolNotFound } from '../errors.ts';
import { hasOpenBookings, lockTool, readTool, removeTool } from '../tool-repository.ts';

/**
 * Removes a tool from the catalog. Its row stays, with name and picture, for its renters' history. A booking that
 * catalog has not consumed yet remains valid: bookings decides, and accepts bookings until it consumes `ToolRemoved`.
 */
export const deleteTool = ({ pool }: Deps): BoundRoute =>
  handle(routes.deleteTool, async ({ params, allow }) => {
    const known = await readTool(pool, params.id);
    if (!known) throw toolNotFound();
    const answer = allow([known.ownerId], forbidden);
    await inTransaction(pool, async (tx) => {
      const tool = await lockTool(tx, params.id);
      if (!tool) throw toolNotFound();
      if (await hasOpenBookings(tx, tool.id)) throw toolHasBookings();
      await removeTool(tx, tool.id);
      const aggregate = { id: tool.id, version: tool.version + 1 };
      const data = { toolId: tool.id, ownerId: tool.ownerId };
      await addToOutbox(tx, newEvent('ToolRemoved', aggregate, data));
    });
    return answer({ message: 'Tool deleted successfully' });
  });
