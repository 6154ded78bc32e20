import type { EventData } from '@lendtools/contracts';
import { dayMs, toInstantMs, toLocalMs } from '@lendtools/contracts/local-time';
import { hourMs, overdueAtMs } from '@lendtools/contracts/rental-period';

export type ReminderKind = EventData<'BookingReminderDue'>['kind'];

export interface Reminder {
  kind: ReminderKind;
  dueAt: Date;
  /** What is sent later, after a downtime, only puzzles people. */
  usefulUntil: Date;
}

interface Rental {
  startsAt: Date;
  endsAt: Date;
  timeZone: string;
}

/** By the tool's clock: when the day's reminders are sent, and between when and when a phone may ring. */
const morningMs = 9 * hourMs;
const [wakingMs, sleepingMs] = [7 * hourMs, 22 * hourMs];
/** Nobody brings a tool back in less. */
const wayBackMs = hourMs;
/** Of the morning's reminders, so that none comes at night. */
const usefulMs = 12 * hourMs;
const endUsefulMs = 3 * hourMs;

/** Before the start of a rental whose tool is not back: when it is told at all, and when also at night. */
const lateToldMs = dayMs;
const lateToldAtNightMs = 3 * hourMs;

/** How long before a question lapses its owner is reminded, and how long they must have had it by then. */
const answerSoonMs = 6 * hourMs;
const answerKnownMs = 2 * hourMs;
const eveningMs = 21 * hourMs;

const dayOf = (localMs: number): number => Math.floor(localMs / dayMs) * dayMs;

const isWaking = (localMs: number): boolean => {
  const timeMs = localMs - dayOf(localMs);
  return timeMs >= wakingMs && timeMs < sleepingMs;
};

/** When who is to be reminded of a rental, in the order of time: no two at once. */
export const remindersOf = ({ startsAt, endsAt, timeZone }: Rental): Reminder[] => {
  const [startMs, endMs] = [startsAt.getTime(), endsAt.getTime()];
  const morningOf = (localDayMs: number) => toInstantMs(localDayMs + morningMs, timeZone);
  const reminder = (kind: ReminderKind, dueMs: number, uselessMs: number): Reminder => ({
    ...{ kind, dueAt: new Date(dueMs), usefulUntil: new Date(uselessMs) },
  });
  const startDay = dayOf(toLocalMs(startMs, timeZone));

  const dayBefore = morningOf(startDay - dayMs);
  const pickUp = reminder('pick-up', dayBefore, Math.min(startMs, dayBefore + usefulMs));

  // The last morning with time to bring it back: the day before of what ends at 7 AM, or when a day begins.
  const returnDay = dayOf(toLocalMs(endMs - wayBackMs, timeZone) - morningMs);
  const morning = morningOf(returnDay);
  const returnToday = reminder('return-day', morning, Math.min(endMs, morning + usefulMs));

  const endLocalMs = toLocalMs(endMs, timeZone);
  const endDay = dayOf(endLocalMs);
  const nextMorning = morningOf(endLocalMs - endDay < wakingMs ? endDay : endDay + dayMs);
  const endTold = isWaking(endLocalMs) ? endMs : nextMorning;
  const returnDue = reminder('return-due', endTold, endTold + endUsefulMs);

  // Who picks it up on that day needs no reminder of the return yet.
  return returnDay > startDay ? [pickUp, returnToday, returnDue] : [pickUp, returnDue];
};

/**
 * What is to be sent of a booking now, and when to look at it again; null when nothing follows. What was due before it was
 * booked, or before `remindAt`, is not sent.
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

/** When the owner is reminded of what they are asked: at night, the evening before; null for what has only just been asked then. */
export const remindAnswerAt = (
  { answerBy, timeZone }: { answerBy: Date; timeZone: string },
  askedAt: Date,
): Date | null => {
  const soonMs = answerBy.getTime() - answerSoonMs;
  const localMs = toLocalMs(soonMs, timeZone);
  const evening = dayOf(localMs - wakingMs) + eveningMs;
  const atMs = isWaking(localMs) ? soonMs : toInstantMs(evening, timeZone);
  return atMs - askedAt.getTime() < answerKnownMs ? null : new Date(atMs);
};

/** Whether a phone may ring now where the tool is: what comes late, after a downtime, must not wake anybody. */
export const mayRing = (timeZone: string, now: Date): boolean =>
  isWaking(toLocalMs(now.getTime(), timeZone));

/** Whether the parties of a booking are to be told now that its tool is not back from the one before. */
export const isHeldUp = (
  next: Pick<Rental, 'startsAt' | 'timeZone'>,
  before: { endsAt: Date; endTime: string },
  now: Date,
): boolean => {
  const nowMs = now.getTime();
  const leftMs = next.startsAt.getTime() - nowMs;
  if (leftMs <= 0 || leftMs > lateToldMs) return false;
  if (nowMs < overdueAtMs({ endsAtMs: before.endsAt.getTime(), endTime: before.endTime }))
    return false;
  return leftMs <= lateToldAtNightMs || isWaking(toLocalMs(nowMs, next.timeZone));
};
