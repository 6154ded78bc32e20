import { isDatabaseOutage } from './database-errors.ts';

const maxBatch = 100;

/** Batches concurrent calls. `work` returns a result per item, in order. Retries a failed batch item by item. */
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
