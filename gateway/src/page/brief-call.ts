import type { CallInput, ReplyOf, Route } from '@lendtools/contracts';
import { AppError, call, type Upstreams } from '@lendtools/service-kit';

/** A page must not wait for what stands in it first: the app asks for that anyway. */
const patienceMs = 500;
/** While catalog hangs, only every so often a page waits for it. */
const restMs = 10_000;

/** As `call` to catalog, but gives undefined soon where there is no answer, or not what it should be; its refusals are thrown. */
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
