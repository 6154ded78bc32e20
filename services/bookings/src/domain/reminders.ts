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

/** Times of day in the tool's time zone: when morning reminders are sent, and between which hours a phone may ring. */
const morningMs = 9 * hourMs;
const [wakingMs, sleepingMs] = [7 * hourMs, 22 * hourMs];
/** The least time that a renter needs to bring a tool back. */
const wayBackMs = hourMs;
/** How long a morning reminder is useful: until 9 PM, so that none is sent at night. */
const usefulMs = 12 * hourMs;
const endUsefulMs = 3 * hourMs;

/** How long before the start a booking's parties are warned of a late tool: first by day, later also at night. */
const warnWithinMs = dayMs;
const warnAtNightWithinMs = 3 * hourMs;

/** How long before the deadline an owner is reminded of a request, and how old the request must be by then. */
const remindAheadMs = 6 * hourMs;
const leastAgeMs = 2 * hourMs;
const eveningMs = 21 * hourMs;

const dayOf = (localMs: number): number => Math.floor(localMs / dayMs) * dayMs;

const isWaking = (localMs: number): boolean => {
  const timeMs = localMs - dayOf(localMs);
  return timeMs >= wakingMs && timeMs < sleepingMs;
};

/** When the night that includes `nightMs` ends, in local time. */
const wakingAfter = (nightMs: number): number => {
  const day = dayOf(nightMs);
  return wakingMs + (nightMs - day < wakingMs ? day : day + dayMs);
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

  // The last morning that leaves an hour to bring the tool back: the day before, if the rental ends before 10 AM.
  const returnDay = dayOf(toLocalMs(endMs - wayBackMs, timeZone) - morningMs);
  const morning = morningOf(returnDay);
  const returnToday = reminder('return-day', morning, Math.min(endMs, morning + usefulMs));

  const endLocalMs = toLocalMs(endMs, timeZone);
  const nextMorning = morningOf(dayOf(wakingAfter(endLocalMs)));
  const returnDueMs = isWaking(endLocalMs) ? endMs : nextMorning;
  const returnDue = reminder('return-due', returnDueMs, returnDueMs + endUsefulMs);

  // A tool that is picked up on its return day needs no morning reminder of the return.
  return returnDay > startDay ? [pickUp, returnToday, returnDue] : [pickUp, returnDue];
};

/** The reminders to send now, and when to check next. Skips reminders due before the booking was made or `remindAt`. */
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

/** When to remind the owner of an unanswered request, never at night; null if the request would be too new by then. */
export const remindApprovalAt = (
  { answerBy, timeZone }: { answerBy: Date; timeZone: string },
  requestedAt: Date,
): Date | null => {
  const soonMs = answerBy.getTime() - remindAheadMs;
  const localMs = toLocalMs(soonMs, timeZone);
  const evening = dayOf(localMs - wakingMs) + eveningMs;
  const atMs = isWaking(localMs) ? soonMs : toInstantMs(evening, timeZone);
  return atMs - requestedAt.getTime() < leastAgeMs ? null : new Date(atMs);
};

/** Whether it is daytime where the tool is. A reminder that a downtime delayed must not ring a phone at night. */
export const mayRing = (timeZone: string, now: Date): boolean =>
  isWaking(toLocalMs(now.getTime(), timeZone));

/** The earliest time to warn a booking's parties that its tool is late. */
export const warnableFrom = ({ startsAt }: Pick<Rental, 'startsAt'>): Date =>
  new Date(startsAt.getTime() - warnWithinMs);

export const overdueFrom = ({ endsAt, endTime }: { endsAt: Date; endTime: string }): Date =>
  new Date(overdueAtMs({ endsAtMs: endsAt.getTime(), endTime }));

/**
 * When to warn a booking's parties, from `now` on, that the previous renter still has its tool: by day, or at night if
 * the start is near. Null if the booking starts before that time.
 */
export const warnAt = (
  next: Pick<Rental, 'startsAt' | 'timeZone'>,
  before: { endsAt: Date; endTime: string },
  now: Date,
): Date | null => {
  const { startsAt, timeZone } = next;
  const fromMs = Math.max(+now, +overdueFrom(before), +warnableFrom(next));
  if (fromMs >= startsAt.getTime()) return null;
  const localMs = toLocalMs(fromMs, timeZone);
  if (isWaking(localMs)) return new Date(fromMs);
  const wakingAtMs = toInstantMs(wakingAfter(localMs), timeZone);
  const urgentMs = startsAt.getTime() - warnAtNightWithinMs;
  return new Date(Math.max(fromMs, Math.min(wakingAtMs, urgentMs)));
};
