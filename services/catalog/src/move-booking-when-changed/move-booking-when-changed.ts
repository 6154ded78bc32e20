import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { lockTool, noteDates, publishTools, refreshStatus } from '../tool-repository.ts';

/**
 * A booking has other dates, or another quantity, on which it depends whether its tool is on offer. It hears
 * `BookingChanged`; how a booking begins and ends `update-status-when-booking-changed` hears.
 */
export const moveBookingWhenChanged = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.move-booking-when-changed', pool, async ({ data, version }, tx) => {
    const tool = await lockTool(tx, data.toolId);
    await noteDates(tx, data, { asOf: version });
    if (tool && (await refreshStatus(tx, tool))) await publishTools(tx, 'ToolUpdated', [tool.id]);
  });
