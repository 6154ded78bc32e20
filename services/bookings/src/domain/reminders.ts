import type { EventData } from '@lendtools/contracts';
import { dayMs, toInstantMs, toLocalMs } from '@lendtools/contracts/local-time';
import { hourMs, overdueAtMs } from '@lendtools/contracts/rental-period';

export type ReminderKind = EventData<'BookingReminderDue'>['kind'];

export interface Reminder {
  kind: ReminderKind;
  dueAt: Date;
  /** A reminder that a downtime delayed beyond this time is dropped. */
  usefulUntil: Date;
}

interface Rental {
  startsAt: Date;
  endsAt: Date;
  timeZone: string;
}

/** In the tool's time zone: when the day's reminders are sent, and the hours in which a phone may ring. */
const morningMs = 9 * hourMs;
const [wakingMs, sleepingMs] = [7 * hourMs, 22 * hourMs];
/** The least time that a renter needs to bring a tool back. */
const wayBackMs = hourMs;
/** How long a morning reminder is useful: until 9 PM, so that none is sent at night. */
const usefulMs = 12 * hourMs;
const endUsefulMs = 3 * hourMs;

/** How long before its start a booking's parties are warned that the tool is not back: at all, and even at night. */
const warnWithinMs = dayMs;
const warnAtNightWithinMs = 3 * hourMs;

/** How long before the deadline an owner is reminded of a request, and the age that the request must have by then. */
const remindAheadMs = 6 * hourMs;
const leastAgeMs = 2 * hourMs;
const eveningMs = 21 * hourMs;

const dayOf = (localMs: number): number => Math.floor(localMs / dayMs) * dayMs;

const isWaking = (localMs: number): boolean => {
  const timeMs = localMs - dayOf(localMs);
  return timeMs >= wakingMs && timeMs < sleepingMs;
};

/** The reminders of a rental, in chronological order; no two are due at once. */
export const remindersOf = ({ startsAt, endsAt, timeZone }: Rental): Reminder[] => {
  const [startMs, endMs] = [startsAt.getTime(), endsAt.getTime()];
  const morningOf = (localDayMs: number) => toInstantMs(localDayMs + morningMs, timeZone);
  const reminder = (kind: ReminderKind, dueMs: number, usefulUntilMs: number): Reminder => ({
    kind,
    dueAt: new Date(dueMs),
    usefulUntil: new Date(usefulUntilMs),
  });
  const startDay = dayOf(toLocalMs(startMs, timeZone));

  const dayBefore = morningOf(startDay - dayMs);
  const pickUp = reminder('pick-up', dayBefore, Math.min(startMs, dayBefore + usefulMs));

  // The last morning with an hour to bring the tool back. It is the day before if the rental ends before 10 AM.
  const returnDay = dayOf(toLocalMs(endMs - wayBackMs, timeZone) - morningMs);
  const morning = morningOf(returnDay);
  const returnToday = reminder('return-day', morning, Math.min(endMs, morning + usefulMs));

  const endLocalMs = toLocalMs(endMs, timeZone);
  const endDay = dayOf(endLocalMs);
  const nextMorning = morningOf(endLocalMs - endDay < wakingMs ? endDay : endDay + dayMs);
  const returnDueMs = isWaking(endLocalMs) ? endMs : nextMorning;
  const returnDue = reminder('return-due', returnDueMs, returnDueMs + endUsefulMs);

  // A renter who picks the tool up on that day needs no reminder of the return in the morning.
  return returnDay > startDay ? [pickUp, returnToday, returnDue] : [pickUp, returnDue];
};

/**
 * The reminders of a booking to send now, and when to check it again; null if none follows. Skips reminders that were
 * due before it was booked, or before `remindAt`.
 */
export const remindersAt = (
  booking: Rental & { bookedAt: Date; remindAt: Date },
  now: Date,
): { due: Reminder[]; nextAt: Date | null } => {
  const open = remindersOf(booking).filter(
    ({ dueAt }) => dueAt > booking.bookedAt && dueAt >= booking.remindAt,
  );
  return {
    due: open.filter(({ dueAt, usefulUntil }) => dueAt <= now && now < usefulUntil),
    nextAt: open.find(({ dueAt }) => dueAt > now)?.dueAt ?? null,
  };
};

/**
 * When to remind the owner of an unanswered request. A time at night moves to the evening before. Null if the request
 * would be too young by then.
 */
export const remindAnswerAt = (
  { answerBy, timeZone }: { answerBy: Date; timeZone: string },
  askedAt: Date,
): Date | null => {
  const soonMs = answerBy.getTime() - remindAheadMs;
  const localMs = toLocalMs(soonMs, timeZone);
  const evening = dayOf(localMs - wakingMs) + eveningMs;
  const atMs = isWaking(localMs) ? soonMs : toInstantMs(evening, timeZone);
  return atMs - askedAt.getTime() < leastAgeMs ? null : new Date(atMs);
};

/** Whether it is daytime where the tool is. A reminder that a downtime delayed must not ring a phone at night. */
export const mayRing = (timeZone: string, now: Date): boolean =>
  isWaking(toLocalMs(now.getTime(), timeZone));

/** Whether to warn a booking's parties now that its tool is not back from the previous booking. */
export const isHeldUp = (
  next: Pick<Rental, 'startsAt' | 'timeZone'>,
  before: { endsAt: Date; endTime: string },
  now: Date,
): boolean => {
  const nowMs = now.getTime();
  const leftMs = next.startsAt.getTime() - nowMs;
  if (leftMs <= 0 || leftMs > warnWithinMs) return false;
  if (nowMs < overdueAtMs({ endsAtMs: before.endsAt.getTime(), endTime: before.endTime }))
    return false;
  return leftMs <= warnAtNightWithinMs || isWaking(toLocalMs(nowMs, next.timeZone));
};
