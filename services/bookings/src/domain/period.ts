import {
  type AskedPeriod,
  type Circle,
  checkPeriod,
  normalTime,
  type PeriodProblem,
  readPeriod,
} from '@lendtools/contracts/rental-period';
import { periodInvalid } from '../errors.ts';

/** A requested period in stored form, with its instants and the number of days or hours charged. */
export interface RentalPeriod extends AskedPeriod {
  startsAt: Date;
  endsAt: Date;
  period: number;
}

/**
 * Validates the period of a line and completes it.
 * @throws AppError PERIOD_INVALID with a sentence for the renter; the error's path starts with `path`
 */
export const rentalPeriod = (
  asked: AskedPeriod,
  { circle, timeZone, now, path }: { circle: Circle; timeZone: string; now: Date; path: string },
): RentalPeriod => {
  const found = readPeriod(asked, { circle, timeZone });
  const refuse = ({ problem, field }: PeriodProblem) =>
    periodInvalid(problem, path ? `${path}.${field}` : field);
  if ('problem' in found) throw refuse(found);
  const refused = checkPeriod(asked, found, { timeZone, nowMs: now.getTime() });
  if (refused) throw refuse(refused);
  const { startsAtMs, endsAtMs, period } = found;
  return {
    startDate: asked.startDate,
    startTime: normalTime(asked.startTime),
    endDate: asked.endDate,
    endTime: normalTime(asked.endTime),
    startsAt: new Date(startsAtMs),
    endsAt: new Date(endsAtMs),
    period,
  };
};
