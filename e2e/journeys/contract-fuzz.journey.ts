import { describe, expect, it } from '@jest/globals';
import { hangsAfterMs } from '@lendtools/testing';
import { runFuzz } from '../fuzz/run-fuzz.ts';

/** The seed is fixed, so that a failure can be reproduced. */
describe('the API under valid and hostile requests', () => {
  it('replies as its document specifies, and leaks nothing', async () => {
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
