import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { recordDates, refreshStatus } from '../../store/tool-booking-repository.ts';
import { lockTool, publishTools } from '../../store/tool-repository.ts';

/** Stores the new dates of a changed booking. `update-status-when-booking-changed` consumes the other booking events. */
export const moveBookingWhenChanged = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.move-booking-when-changed', pool, async ({ data, version }, tx) => {
    const tool = await lockTool(tx, data.toolId);
    await recordDates(tx, data, { asOf: version });
    if (tool && (await refreshStatus(tx, tool))) await publishTools(tx, 'ToolUpdated', [tool.id]);
  });
