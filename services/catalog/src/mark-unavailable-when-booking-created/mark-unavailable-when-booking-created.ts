import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { lockTool, noteBooking, refreshStatus, tellOfTools } from '../tool-repository.ts';

const noted = {
  BookingCreated: 'booked_at',
  BookingReturned: 'returned_at',
  BookingCancelled: 'cancelled_at',
} as const;

/**
 * Notes the booking's fact and asks again whether the tool is on offer. The tool is locked first: two bookings of its
 * last units would otherwise each overlook the other. What befalls a removed tool's booking is noted all the same.
 */
export const markUnavailableWhenBookingCreated = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.mark-unavailable-when-booking-created', pool, async (event, tx) => {
    const { toolId } = event.data;
    const tool = await lockTool(tx, toolId);
    await noteBooking(tx, event.data, noted[event.type], new Date(event.occurredAt));
    if (!tool) return;
    const changed = await refreshStatus(tx, tool);
    if (changed) await tellOfTools(tx, 'ToolUpdated', [toolId]);
  });
