import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { recordUndoneReturn, refreshStatus } from '../../store/tool-booking-repository.ts';
import { lockTool, publishTools } from '../../store/tool-repository.ts';

/** An undone return makes the tool Unavailable, even if the owner listed the tool again in between. */
export const reopenBookingWhenReturnUndone = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.reopen-booking-when-return-undone', pool, async (event, tx) => {
    const tool = await lockTool(tx, event.data.toolId);
    await recordUndoneReturn(tx, event.data, {
      at: new Date(event.occurredAt),
      version: event.version,
    });
    if (tool && (await refreshStatus(tx, tool))) await publishTools(tx, 'ToolUpdated', [tool.id]);
  });
