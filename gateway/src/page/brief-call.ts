import type { CallInput, ReplyOf, Route } from '@lendtools/contracts';
import { AppError, call, type Upstreams } from '@lendtools/service-kit';

/** How long a page waits for catalog at most: the app loads the same data anyway. */
const patienceMs = 500;
/** How long pages are served without catalog after a call to it has timed out. */
const restMs = 10_000;

/** Calls catalog. Returns undefined after a timeout, an outage or an invalid reply; throws catalog's 4xx errors. */
export const briefCallOf = (catalog: Upstreams) => {
  let restsUntilMs = 0;
  return async <R extends Route>(
    route: R,
    input: CallInput<R>,
  ): Promise<ReplyOf<R> | undefined> => {
    if (Date.now() < restsUntilMs) return undefined;
    try {
      return await call(catalog, route, { ...input, timeoutMs: patienceMs });
    } catch (error) {
      if (error instanceof AppError && error.status < 500) throw error;
      const { cause = error } = error as Error;
      if ((cause as Error).name === 'TimeoutError') restsUntilMs = Date.now() + restMs;
      return undefined;
    }
  };
};
export type BriefCall = ReturnType<typeof briefCallOf>;
