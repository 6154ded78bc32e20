import {
  type Circle,
  checkPeriod,
  normalTime,
  type PeriodProblem,
  type RequestedPeriod,
  readPeriod,
} from '@lendtools/contracts/rental-period';
import { periodInvalid } from './errors.ts';

/** A requested period as it is stored, with its instants of start and end and the number of days or hours charged. */
export interface RentalPeriod extends RequestedPeriod {
  startsAt: Date;
  endsAt: Date;
  period: number;
}

/** @throws AppError PERIOD_INVALID with a sentence for the renter; the error's path starts with `path` */
export const rentalPeriod = (
  requested: RequestedPeriod,
  { circle, timeZone, now, path }: { circle: Circle; timeZone: string; now: Date; path: string },
): RentalPeriod => {
  const found = readPeriod(requested, { circle, timeZone });
  const rejection = ({ problem, field }: PeriodProblem) =>
    periodInvalid(problem, path ? `${path}.${field}` : field);
  if ('problem' in found) throw rejection(found);
  const invalid = checkPeriod(requested, found, { timeZone, nowMs: now.getTime() });
  if (invalid) throw rejection(invalid);
  const { startsAtMs, endsAtMs, period } = found;
  return {
    startDate: requested.startDate,
    startTime: normalTime(requested.startTime),
    endDate: requested.endDate,
    endTime: normalTime(requested.endTime),
    startsAt: new Date(startsAtMs),
    endsAt: new Date(endsAtMs),
    period,
  };
};
