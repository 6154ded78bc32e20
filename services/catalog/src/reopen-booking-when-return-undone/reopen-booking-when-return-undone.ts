import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { lockTool, publishTools, recordUndoneReturn, refreshStatus } from '../tool-repository.ts';

/**
 * Reopens a booking: the tool becomes Unavailable, even if it was listed again in between, and cannot be deleted. It
 * has its own queue, because an earlier version would not know the event.
 */
export const reopenBookingWhenReturnUndone = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.reopen-booking-when-return-undone', pool, async (event, tx) => {
    const tool = await lockTool(tx, event.data.toolId);
    await recordUndoneReturn(tx, event.data, {
      at: new Date(event.occurredAt),
      version: event.version,
    });
    if (tool && (await refreshStatus(tx, tool))) await publishTools(tx, 'ToolUpdated', [tool.id]);
  });
