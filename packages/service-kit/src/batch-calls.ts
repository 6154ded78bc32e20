import { isDatabaseOutage } from './database-errors.ts';

/** A larger batch would only delay the first caller in it. */
const maxBatch = 100;

/**
 * Batches concurrent calls: items that arrive while a batch runs go into the next one. `work` returns one result per
 * item, in order. If a batch of several fails, each item is retried alone, so that one caller's failure does not fail
 * the others.
 * @throws what `work` throws
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
    if (!next || next.items.length === maxBatch) next = gather();
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
