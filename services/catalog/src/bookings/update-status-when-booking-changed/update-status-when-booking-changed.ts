import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import {
  recordBooking,
  recordDates,
  recordReturn,
  refreshStatus,
} from '../../store/tool-booking-repository.ts';
import { lockTool, publishTools } from '../../store/tool-repository.ts';

const timestampColumns = {
  BookingCreated: 'booked_at',
  BookingCancelled: 'cancelled_at',
} as const;

/** The time of the return, or of the completion if no return was confirmed: a completed booking counts as returned. */
const returnOf = ({ occurredAt, data }: Event<'BookingCompleted'>): Date =>
  new Date(data.returnedAt ?? occurredAt);

/** Locks the tool first: otherwise two concurrent bookings of its last units would not count each other. */
export const updateStatusWhenBookingChanged = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.update-status-when-booking-changed', pool, async (event, tx) => {
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
