import { routes } from '@lendtools/contracts';
import { MinuteCounts, networksOf, tooManyRequests } from '@lendtools/service-kit';
import type { RequestHandler } from 'express';

/** Limits each network: a page with its pictures takes about 40 reads, so 150 people in an office can each open a page every minute. */
const readsPerMinute = 6_000;
/** A calendar costs as much as ten reads: its 92 days are computed from every booking and the terms of the tool. */
const costOfCalendar = 10;

/** Replies 429 with Retry-After to reads of a network beyond its limit. Each gateway process counts for itself. */
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
