import { routes } from '@lendtools/contracts';
import { MinuteCounts, networksOf, tooManyRequests } from '@lendtools/service-kit';
import type { RequestHandler } from 'express';

/** A page with its pictures takes about 40 reads, so 150 people in an office can each open one page a minute. */
const readsPerMinute = 6_000;
/** A calendar is expensive: its 92 days are computed from every booking and term of the tool. */
const costOfCalendar = 10;

/** Limits each network's reads per minute: 429 with Retry-After beyond that. Counted per process. */
export const limitReads = (factor: number): RequestHandler => {
  const counts = new MinuteCounts();

  return (request, _response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const cost = request.route?.path === routes.toolAvailability.path ? costOfCalendar : 1;
    for (const { name, factor: share } of networksOf(String(request.headers['x-forwarded-for']))) {
      if (!counts.spend(name, readsPerMinute * factor * share, cost))
        throw tooManyRequests(
          counts.secondsLeft,
          'Your network has asked for very much within a minute.',
        );
    }
    next();
  };
};
