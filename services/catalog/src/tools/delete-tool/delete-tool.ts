import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { type BoundRoute, forbidden, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { toolHasBookings, toolNotFound } from '../../domain/errors.ts';
import { hasOpenBookings } from '../../store/tool-booking-repository.ts';
import { lockTool, readTool, removeTool } from '../../store/tool-repository.ts';

/** Removes a tool but keeps its row for its renters' history. A booking whose event has not been consumed yet remains valid. */
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
