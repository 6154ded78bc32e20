import { isDatabaseOutage } from './database-errors.ts';

/** A command takes a few at once; more than this would only make the first of them wait. */
const most = 100;

/**
 * Does by one call what is asked at the same moment, and what is asked while that call is under way by the next one.
 * `work` answers for each item, in their order. Where it fails for several, each is tried alone, so that nobody fails by
 * what another asked.
 * @throws what the work throws
 */
export const batchCalls = <T, R>(work: (items: T[]) => Promise<R[]>): ((item: T) => Promise<R>) => {
  let next: { items: T[]; results: Promise<R[]> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const gather = () => {
    const items: T[] = [];
    const results = last.then(() => {
      if (next?.items === items) next = undefined;
      return work(items);
    });
    last = results.catch(() => {});
    return { items, results };
  };

  return async (item) => {
    if (!next || next.items.length === most) next = gather();
    const { items, results } = next;
    const place = items.push(item) - 1;
    try {
      return (await results)[place] as R;
    } catch (error) {
      if (items.length === 1 || isDatabaseOutage(error)) throw error;
      return (await work([item]))[0] as R;
    }
  };
};
