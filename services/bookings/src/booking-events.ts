import { newEvent } from '@lendtools/event-bus';
import type { AnswerToRemind, BookingRow } from './booking-repository.ts';
import type { BookingChange } from './change-repository.ts';
import type { EndedRequest, RefundPart } from './domain/booking.ts';
import type { Reminder } from './domain/reminders.ts';

export const partiesOf = (booking: BookingRow) => ({
  bookingId: booking.id,
  toolId: booking.toolId,
  toolName: booking.name,
  ownerId: booking.ownerId,
  renterId: booking.userId,
});

const factsOf = (booking: BookingRow) => ({
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
  cancellationPolicy: booking.cancellationPolicy,
});

export const bookingCreated = (booking: BookingRow, units: number[]) =>
  newEvent('BookingCreated', booking, { ...factsOf(booking), units });

/** @param how.units the numbers of the units after the change */
export const bookingChanged = (
  booking: BookingRow,
  change: BookingChange,
  how: { units: number[]; refunds: RefundPart[] },
) =>
  newEvent('BookingChanged', booking, {
    ...factsOf(booking),
    ...how,
    changeId: change.id,
    before: change.before,
    ...(change.answerBy && { accepted: true }),
    dueCents: change.dueCents,
    keptCents: change.keptCents,
    changes: booking.changeCount,
    mostPercent: booking.mostPercent,
  });

export const bookingRequested = (request: BookingRow) =>
  newEvent('BookingRequested', request, {
    ...factsOf(request),
    answerBy: (request.answerBy as Date).toISOString(),
  });

/** The owner accepted a request, or a change whose hold is to be charged. */
export const bookingAccepted = (booking: BookingRow, holdId: string) =>
  newEvent('BookingAccepted', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    holdId,
  });

export const changeRequested = (booking: BookingRow, change: BookingChange) =>
  newEvent('BookingChangeRequested', booking, {
    ...factsOf({ ...booking, ...wantedOf(change) }),
    changeId: change.id,
    answerBy: (change.answerBy as Date).toISOString(),
    before: change.before,
    dueCents: change.dueCents,
    refundCents: change.refundCents,
    keptCents: change.keptCents,
  });

export const changeRequestEnded = (
  booking: BookingRow,
  { id: changeId, dueCents }: BookingChange,
  how: { outcome: EndedRequest; note: string },
) =>
  newEvent('BookingChangeRequestEnded', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    changeId,
    dueCents,
    ...how,
  });

const wantedOf = (change: BookingChange) => ({
  startDate: change.startDate,
  startTime: change.startTime,
  endDate: change.endDate,
  endTime: change.endTime,
  startsAt: change.startsAt,
  endsAt: change.endsAt,
  quantity: change.quantity,
  period: change.period,
  totalCents: change.totalCents,
});

export const requestEnded = (request: BookingRow, how: { outcome: EndedRequest; note: string }) =>
  newEvent('BookingRequestEnded', request, {
    ...partiesOf(request),
    bookingCode: request.code,
    ...how,
  });

export const reminderDue = (booking: BookingRow, { kind, usefulUntil }: Omit<Reminder, 'dueAt'>) =>
  newEvent('BookingReminderDue', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    kind,
    usefulUntil: usefulUntil.toISOString(),
    startDate: booking.startDate,
    startTime: booking.startTime,
    endDate: booking.endDate,
    endTime: booking.endTime,
  });

/** Reminds the owner of an unanswered request, or of an unanswered change of a booking. */
export const answerDue = ({ changeId, lapsesAt, ...booking }: AnswerToRemind) =>
  newEvent('BookingAnswerDue', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    changeId,
    timeZone: booking.timeZone,
    answerBy: lapsesAt.toISOString(),
  });

export const bookingCompleted = (booking: BookingRow) =>
  newEvent('BookingCompleted', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    quantity: booking.quantity,
    endsAt: booking.endsAt.toISOString(),
    returnedAt: booking.returnedAt?.toISOString() ?? null,
  });

export const draftLine = ({ id: bookingId, toolId, quantity }: BookingRow) => ({
  bookingId,
  toolId,
  quantity,
});

export const heldLine = (draft: BookingRow, units: number[]) => ({
  ...draftLine(draft),
  startsAt: draft.startsAt.toISOString(),
  endsAt: draft.endsAt.toISOString(),
  units,
});
