import type { Booking } from '@lendtools/contracts';
import { overdueAtMs } from '@lendtools/contracts/rental-period';

/** A booking's status at the current time. Requests and canceled bookings have none. */
export type TimeStatus = 'Upcoming' | 'Out now' | 'Due back' | 'Overdue' | 'Back' | 'Completed';

export function timeStatus(booking: Booking, now: number): TimeStatus | null {
  if (booking.booking_status === 'Returned') return 'Back';
  if (booking.booking_status === 'Completed') return 'Completed';
  if (booking.booking_status !== 'Booked') return null;
  if (now < Date.parse(booking.startsAt)) return 'Upcoming';
  const endsAtMs = Date.parse(booking.endsAt);
  if (now < endsAtMs) return 'Out now';
  return now < overdueAtMs({ endsAtMs, endTime: booking.end_time }) ? 'Due back' : 'Overdue';
}
