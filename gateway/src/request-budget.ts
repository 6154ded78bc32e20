import { networksOf, tooManyRequests } from '@lendtools/service-kit';
import type { RequestHandler } from 'express';

const windowMs = 60_000;
/** A page and its pictures are some forty reads: for an office of 150 people who open one a minute each. */
const readsPerMinute = 6_000;
/** Some 20 MB; beyond that the counts start again. */
const mostNetworks = 100_000;

/** Limits the reads of each network in a minute, in this process: beyond that 429 with Retry-After. */
export const limitReads = (factor: number): RequestHandler => {
  const counts = new Map<string, number>();
  let startedAtMs = performance.now();

  return (request, _response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const now = performance.now();
    if (now - startedAtMs > windowMs || counts.size > mostNetworks) {
      counts.clear();
      startedAtMs = now;
    }
    for (const { name, factor: share } of networksOf(String(request.headers['x-forwarded-for']))) {
      const count = (counts.get(name) ?? 0) + 1;
      if (count > readsPerMinute * factor * share)
        throw tooManyRequests(
          (startedAtMs + windowMs - now) / 1_000,
          'Your network has asked for very much within a minute.',
        );
      counts.set(name, count);
    }
    next();
  };
};
