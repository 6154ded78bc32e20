import { describe, expect, it } from '@jest/globals';
import { type TurnOptions, Turns } from '../src/turns.ts';

const createWorkplace = (limits: { atOnce: number; mostWaiting: number }) => {
  const turns = new Turns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, options?: TurnOptions) =>
    turns
      .run(() => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }, options)
      .then(
        () => 'done',
        ({ status }: { status: number }) => status,
      );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begin, begun, end };
};

describe('Turns', () => {
  it('runs a few jobs at once, and the waiting ones by rank and then by arrival', async () => {
    const { begin, begun, end } = createWorkplace({ atOnce: 2, mostWaiting: 10 });
    for (const name of ['a', 'b']) void begin(name);
    for (const [name, rank] of [
      ['c', 1],
      ['d', 2],
      ['e', 1],
      ['f', 0],
    ] as const)
      void begin(name, { rank });

    const atFirst = [...begun];
    for (const name of ['a', 'b', 'f', 'c', 'e']) await end(name);

    expect(atFirst).toEqual(['a', 'b']);
    expect(begun).toEqual(['a', 'b', 'f', 'c', 'e', 'd']);
  });

  it('replies 503 to the last waiting request when the queue is full', async () => {
    const { begin, begun, end } = createWorkplace({ atOnce: 1, mostWaiting: 2 });
    void begin('running');

    const late = begin('late', { rank: 9 });
    void begin('early', { rank: 1 });
    void begin('first', { rank: 0 });
    const later = begin('later', { rank: 1 });
    for (const name of ['running', 'first', 'early']) await end(name);

    expect([await late, await later]).toEqual([503, 503]);
    expect(begun).toEqual(['running', 'first', 'early']);
  });

  it('skips the work of disconnected clients and frees their places', async () => {
    const { begin, begun, end } = createWorkplace({ atOnce: 1, mostWaiting: 1 });
    let isGone = false;
    void begin('running');
    const gone = begin('gone', { isGone: () => isGone });
    isGone = true;

    void begin('there');
    await end('running');

    expect(await gone).toBe(400);
    expect(begun).toEqual(['running', 'there']);
  });

  it('continues with the waiting jobs after one fails', async () => {
    const turns = new Turns({ atOnce: 1, mostWaiting: 1 });

    const failed = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(async () => 'done');

    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
