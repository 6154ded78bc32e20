import { newEvent } from '@lendtools/event-bus';
import type { BookingRow } from './booking-repository.ts';
import type { Reminder } from './domain/reminders.ts';

/** What every event about a booking contains. */
export const partiesOf = (booking: BookingRow) => ({
  bookingId: booking.id,
  toolId: booking.toolId,
  toolName: booking.name,
  ownerId: booking.ownerId,
  renterId: booking.userId,
});

export const bookingCreated = (booking: BookingRow) =>
  newEvent('BookingCreated', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    coverImage: booking.coverImage,
    quantity: booking.quantity,
    rentalCircle: booking.circle,
    period: booking.period,
    priceCents: booking.priceCents,
    paidCents: booking.totalCents,
    startsAt: booking.startsAt.toISOString(),
    endsAt: booking.endsAt.toISOString(),
    startDate: booking.startDate,
    startTime: booking.startTime,
    endDate: booking.endDate,
    endTime: booking.endTime,
    timeZone: booking.timeZone,
  });

export const reminderDue = (booking: BookingRow, { kind, usefulUntil }: Omit<Reminder, 'dueAt'>) =>
  newEvent('BookingReminderDue', booking, {
    ...partiesOf(booking),
    ...{ bookingCode: booking.code, kind, usefulUntil: usefulUntil.toISOString() },
    ...{ startDate: booking.startDate, startTime: booking.startTime },
    ...{ endDate: booking.endDate, endTime: booking.endTime },
  });

/** What a hold's events contain for each draft. */
export const heldLine = ({ id: bookingId, toolId, quantity }: BookingRow) => ({
  bookingId,
  toolId,
  quantity,
});
