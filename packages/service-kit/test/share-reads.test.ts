import { describe, expect, it } from '@jest/globals';
import { shareReads } from '../src/share-reads.ts';

/** Readings of a value that changes; each ends when it is told to. */
const startReadings = () => {
  const share = shareReads<string>();
  const ends: { succeed(): void; fail(): void }[] = [];
  let value = 'old';
  return {
    ends,
    change: (to: string) => {
      value = to;
    },
    ask: (key = 'page') =>
      share(key, () => {
        const read = value;
        return new Promise((resolve, reject) => {
          ends.push({ succeed: () => resolve(read), fail: () => reject(new Error('no database')) });
        });
      }),
  };
};
const settled = () => new Promise(setImmediate);

describe('shareReads', () => {
  it('reads once for all who ask meanwhile, and after they asked', async () => {
    const { ask, change, ends } = startReadings();

    const first = ask();
    change('new');
    const meanwhile = [ask(), ask(), ask()];
    ends[0]?.succeed();
    await settled();
    ends[1]?.succeed();

    expect(await first).toBe('old');
    expect(await Promise.all(meanwhile)).toEqual(['new', 'new', 'new']);
    expect(ends).toHaveLength(2);
  });

  it('begins anew for who asks once all is read, and for another question', async () => {
    const { ask, change, ends } = startReadings();

    const first = ask();
    const other = ask('another');
    ends.forEach((each) => {
      each.succeed();
    });
    await Promise.all([first, other]);
    change('new');
    const later = ask();
    ends[2]?.succeed();

    expect(await later).toBe('new');
    expect(ends).toHaveLength(3);
  });

  it('while the next is under way, has who comes then wait for one more', async () => {
    const { ask, change, ends } = startReadings();
    void ask();
    const second = ask();
    ends[0]?.succeed();
    await settled();

    change('new');
    const third = ask();
    ends[1]?.succeed();
    await settled();
    ends[2]?.succeed();

    expect(await second).toBe('old');
    expect(await third).toBe('new');
  });

  it('fails for who shares a failed reading or waits behind it, and not for ever', async () => {
    const { ask, ends } = startReadings();

    const failing = [ask(), ask()].map((each) => each.catch((error: Error) => error.message));
    ends[0]?.fail();
    expect(await Promise.all(failing)).toEqual(['no database', 'no database']);
    const later = ask();
    ends[1]?.succeed();

    expect(await later).toBe('old');
  });
});
