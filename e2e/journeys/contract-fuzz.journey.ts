import { describe, expect, it } from '@jest/globals';
import { hangsAfterMs } from '@lendtools/testing';
import { runFuzz } from '../src/fuzz/run-fuzz.ts';

/** The short form of `npm run fuzz`; the seed is fixed, so that what fails here fails again. */
describe('the API, asked in good and in bad faith', () => {
  it('answers as its document says, and gives nothing away', async () => {
    const until = AbortSignal.timeout(hangsAfterMs);

    const report = await runFuzz({
      seed: 42,
      requests: 1_100,
      concurrency: 8,
      until,
      isTimed: false,
    });

    expect(report.findings).toEqual([]);
    expect(report.requests).toBeGreaterThan(300);
    expect(Object.keys(report.answers).length).toBeGreaterThanOrEqual(57);
  });
});
