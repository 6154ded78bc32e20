import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import {
  lockTool,
  noteBooking,
  noteDates,
  noteReturn,
  publishTools,
  refreshStatus,
} from '../tool-repository.ts';

const noted = {
  BookingCreated: 'booked_at',
  BookingCancelled: 'cancelled_at',
} as const;

/** A completed booking counts as returned, whether or not its owner has confirmed that. */
const returnOf = ({ occurredAt, data }: Event<'BookingCompleted'>): Date =>
  new Date(data.returnedAt ?? occurredAt);

/**
 * Notes what happened to the booking and recomputes whether the tool is available. The tool is locked first: two
 * bookings of its last units would otherwise each miss the other. What happens to a removed tool's booking is noted,
 * too. It consumes `BookingCreated`, `BookingCancelled`, `BookingReturned` and `BookingCompleted`; other dates, `BookingChanged`, are for
 * `move-booking-when-changed`.
 */
export const updateStatusWhenBookingChanged = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.mark-unavailable-when-booking-created', pool, async (event, tx) => {
    const { toolId } = event.data;
    const tool = await lockTool(tx, toolId);
    const at = new Date(event.occurredAt);
    if (event.type === 'BookingReturned')
      await noteReturn(tx, event.data, { at, version: event.version });
    else if (event.type === 'BookingCompleted')
      await noteReturn(tx, event.data, { at: returnOf(event), version: event.version });
    else await noteBooking(tx, event.data, noted[event.type], at);
    if (event.type === 'BookingCreated') await noteDates(tx, event.data, { asOf: event.version });
    if (!tool) return;
    const changed = await refreshStatus(tx, tool);
    if (changed) await publishTools(tx, 'ToolUpdated', [toolId]);
  });
