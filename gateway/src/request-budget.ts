import { routes } from '@lendtools/contracts';
import { MinuteCounts, networksOf, tooManyRequests } from '@lendtools/service-kit';
import type { RequestHandler } from 'express';

/** A page and its pictures take about 40 reads, so an office of 150 people can open one page a minute each. */
const readsPerMinute = 6_000;
/** A calendar of 92 days is computed from every booking and term of the tool. */
const costOfCalendar = 10;

/** Limits the reads of each network in a minute, in this process: beyond that 429 with Retry-After. */
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
