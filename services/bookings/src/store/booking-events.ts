import type { Earnings } from '@lendtools/contracts/commission';
import { newEvent } from '@lendtools/event-bus';
import type { Approval, ApprovalOutcome } from '../domain/approval.ts';
import type { RefundPart } from '../domain/booking.ts';
import type { Reminder } from '../domain/reminders.ts';
import type { BookingRow } from './booking-repository.ts';
import type { BookingChange } from './change-repository.ts';

export const partiesOf = (booking: BookingRow) => ({
  bookingId: booking.id,
  toolId: booking.toolId,
  toolName: booking.name,
  ownerId: booking.ownerId,
  renterId: booking.userId,
});

const factsOf = (booking: BookingRow, earnings: Earnings | undefined) => ({
  ...partiesOf(booking),
  bookingCode: booking.code,
  coverImage: booking.coverImage,
  quantity: booking.quantity,
  rentalCircle: booking.circle,
  period: booking.period,
  priceCents: booking.priceCents,
  totalCents: booking.totalCents,
  startsAt: booking.startsAt.toISOString(),
  endsAt: booking.endsAt.toISOString(),
  startDate: booking.startDate,
  startTime: booking.startTime,
  endDate: booking.endDate,
  endTime: booking.endTime,
  timeZone: booking.timeZone,
  cancellationPolicy: booking.cancellationPolicy,
  ...(earnings && { earnings }),
});

/** @param how.paymentIds the payments whose receipts belong to the event */
export const bookingCreated = (
  booking: BookingRow,
  { earnings, ...how }: { units: number[]; paymentIds: string[]; earnings: Earnings | undefined },
) => newEvent('BookingCreated', booking, { ...factsOf(booking, earnings), ...how });

/** @param how.units the numbers of the units after the change */
export const bookingChanged = (
  booking: BookingRow,
  change: BookingChange,
  {
    isApproved,
    earnings,
    ...how
  }: {
    units: number[];
    refunds: RefundPart[];
    paymentIds: string[];
    isApproved: boolean;
    earnings: Earnings | undefined;
  },
) =>
  newEvent('BookingChanged', booking, {
    ...factsOf(booking, earnings),
    ...how,
    changeId: change.id,
    before: change.before,
    ...(isApproved && { accepted: true }),
    dueCents: change.dueCents,
    keptCents: change.keptCents,
    changes: booking.changeCount,
    mostPercent: booking.mostPercent,
  });

type Requested = Pick<Approval, 'id' | 'changeId' | 'answerBy'>;

/**
 * @param of.change the change that waits for the approval; undefined if the booking itself waits
 * @param of.earnings what the owner earns if they accept
 */
export const approvalRequested = (
  { id: approvalId, answerBy }: Requested,
  {
    booking,
    change,
    earnings,
  }: {
    booking: BookingRow;
    change?: BookingChange | undefined;
    earnings: Earnings | undefined;
  },
) =>
  newEvent('ApprovalRequested', booking, {
    ...factsOf(change ? { ...booking, ...wantedOf(change) } : booking, earnings),
    approvalId,
    answerBy: answerBy.toISOString(),
    change: change
      ? {
          changeId: change.id,
          before: change.before,
          dueCents: change.dueCents,
          refundCents: change.refundCents,
          keptCents: change.keptCents,
        }
      : null,
  });

/** The owner accepted, so the hold's card must be charged. */
export const approvalAccepted = (
  { id: approvalId }: Requested,
  booking: BookingRow,
  holdId: string,
) =>
  newEvent('ApprovalAccepted', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    approvalId,
    holdId,
  });

export const approvalEnded = (
  { id: approvalId }: Requested,
  {
    booking,
    change,
    ...how
  }: {
    booking: BookingRow;
    change?: BookingChange | undefined;
    outcome: ApprovalOutcome;
    note: string;
  },
) =>
  newEvent('ApprovalEnded', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    approvalId,
    change: change ? { changeId: change.id, dueCents: change.dueCents } : null,
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

export const reviewDue = (
  booking: BookingRow,
  { missing, closesAt }: { missing: ('owner' | 'renter')[]; closesAt: Date },
) =>
  newEvent('ReviewDue', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    missing,
    closesAt: closesAt.toISOString(),
    timeZone: booking.timeZone,
  });

export const approvalDue = (
  { id: approvalId, changeId, answerBy }: Requested,
  booking: BookingRow,
) =>
  newEvent('ApprovalDue', booking, {
    ...partiesOf(booking),
    bookingCode: booking.code,
    approvalId,
    changeId,
    timeZone: booking.timeZone,
    answerBy: answerBy.toISOString(),
  });

export const bookingCompleted = (booking: BookingRow, paymentIds: string[]) =>
  newEvent('BookingCompleted', booking, {
    ...partiesOf(booking),
    paymentIds,
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
