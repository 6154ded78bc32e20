import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { lockTool, noteReturnUndone, publishTools, refreshStatus } from '../tool-repository.ts';

/**
 * The tool is out again: off offer, though it was listed again in between, and not to be deleted. Its queue is its own:
 * an earlier version would not know the event.
 */
export const reopenBookingWhenReturnUndone = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.reopen-booking-when-return-undone', pool, async (event, tx) => {
    const tool = await lockTool(tx, event.data.toolId);
    await noteReturnUndone(tx, event.data, {
      at: new Date(event.occurredAt),
      version: event.version,
    });
    if (tool && (await refreshStatus(tx, tool))) await publishTools(tx, 'ToolUpdated', [tool.id]);
  });
