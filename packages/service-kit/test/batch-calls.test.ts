import { describe, expect, it } from '@jest/globals';
import { batchCalls } from '../src/batch-calls.ts';

const doubled = () => {
  const calls: number[][] = [];
  const ask = batchCalls(async (items: number[]) => {
    calls.push(items);
    await new Promise(setImmediate);
    if (items.includes(13)) throw new Error('thirteen');
    return items.map((item) => 2 * item);
  });
  return { ask, calls };
};

describe('batchCalls', () => {
  it('batches concurrent calls, and puts calls that arrive meanwhile into the next batch', async () => {
    const { ask, calls } = doubled();

    const together = [ask(1), ask(2)];
    await Promise.resolve();
    const meanwhile = [ask(3), ask(4)];

    expect(await Promise.all([...together, ...meanwhile])).toEqual([2, 4, 6, 8]);
    expect(calls).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('fails only the caller whose item fails', async () => {
    const { ask } = doubled();

    const results = await Promise.allSettled([ask(1), ask(13), ask(2)]);
    const after = await ask(3);

    expect(results).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('thirteen') },
      { status: 'fulfilled', value: 4 },
    ]);
    expect(after).toBe(6);
  });

  it('does not retry item by item during an outage', async () => {
    let calls = 0;
    const ask = batchCalls(async () => {
      calls++;
      throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    });

    const results = await Promise.allSettled([ask(1), ask(2)]);

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toBe(1);
  });

  it('puts at most a hundred items in a batch', async () => {
    const { ask, calls } = doubled();

    await Promise.all(Array.from({ length: 250 }, () => ask(1)));

    expect(calls.map((items) => items.length)).toEqual([100, 100, 50]);
  });
});
