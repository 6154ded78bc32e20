import { describe, expect, it } from '@jest/globals';
import { shareReads } from '../src/share-reads.ts';

/** Starts reads that a test ends one by one, with success or failure. */
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
  it('shares the next read between all callers that arrive during a read', async () => {
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

  it('starts a new read for a later call and for another key', async () => {
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

  it('starts one more read for callers that arrive during the next read', async () => {
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

  it('fails all callers that share a failed read or wait behind it, but not later ones', async () => {
    const { ask, ends } = startReadings();

    const failing = [ask(), ask()].map((each) => each.catch((error: Error) => error.message));
    ends[0]?.fail();
    expect(await Promise.all(failing)).toEqual(['no database', 'no database']);
    const later = ask();
    ends[1]?.succeed();

    expect(await later).toBe('old');
  });
});
