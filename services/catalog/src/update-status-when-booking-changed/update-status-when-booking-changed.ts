import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import {
  lockTool,
  publishTools,
  recordBooking,
  recordDates,
  recordReturn,
  refreshStatus,
} from '../tool-repository.ts';

const timestampColumns = {
  BookingCreated: 'booked_at',
  BookingCancelled: 'cancelled_at',
} as const;

/** A completed booking counts as returned, even if its owner has not confirmed the return. */
const returnOf = ({ occurredAt, data }: Event<'BookingCompleted'>): Date =>
  new Date(data.returnedAt ?? occurredAt);

/**
 * Records a booking's event and recomputes the tool's status. Locks the tool first, or two concurrent bookings of its
 * last units would each miss the other. Records bookings of removed tools too. Consumes `BookingCreated`,
 * `BookingCancelled`, `BookingReturned` and `BookingCompleted`; `move-booking-when-changed` consumes
 * `BookingChanged`.
 */
export const updateStatusWhenBookingChanged = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.mark-unavailable-when-booking-created', pool, async (event, tx) => {
    const { toolId } = event.data;
    const tool = await lockTool(tx, toolId);
    const at = new Date(event.occurredAt);
    if (event.type === 'BookingReturned')
      await recordReturn(tx, event.data, { at, version: event.version });
    else if (event.type === 'BookingCompleted')
      await recordReturn(tx, event.data, { at: returnOf(event), version: event.version });
    else await recordBooking(tx, event.data, timestampColumns[event.type], at);
    if (event.type === 'BookingCreated') await recordDates(tx, event.data, { asOf: event.version });
    if (!tool) return;
    const changed = await refreshStatus(tx, tool);
    if (changed) await publishTools(tx, 'ToolUpdated', [toolId]);
  });
