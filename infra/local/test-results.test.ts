import { describe, expect, it } from '@jest/globals';
import {
  countTests,
  failedFiles,
  failedTests,
  flakyTests,
  type JestOutput,
  withSecondRun,
} from './test-results.ts';

/** Builds Jest's output from the statuses of each file's tests; no test means that the file failed to load. */
function outputOf(files: Record<string, string[]>): JestOutput {
  return {
    testResults: Object.entries(files).map(([name, statuses]) => ({
      name,
      assertionResults: statuses.map((status, index) => ({ fullName: `test ${index}`, status })),
    })),
  };
}

const first = outputOf({
  'a.test.ts': ['passed', 'failed'],
  'b.test.ts': ['passed'],
  'c.test.ts': [],
});

describe('countTests', () => {
  it('counts a file that failed to load as one failure', () => {
    expect(countTests(first)).toEqual({ passed: 2, failed: 2 });
  });

  it('counts a file that ran again by its second run', () => {
    const second = outputOf({ 'a.test.ts': ['passed', 'passed'], 'c.test.ts': ['failed'] });

    expect(countTests(withSecondRun(first, second))).toEqual({ passed: 3, failed: 1 });
  });

  it('keeps the first result of a file that the second run did not reach', () => {
    expect(countTests(withSecondRun(first, outputOf({})))).toEqual({ passed: 2, failed: 2 });
  });
});

describe('failedFiles', () => {
  it('returns files with a failed test and files that failed to load', () => {
    expect(failedFiles(first)).toEqual(['a.test.ts', 'c.test.ts']);
  });
});

describe('failedTests', () => {
  it('names the failed tests and the files that failed to load', () => {
    expect(failedTests(first)).toEqual([
      'a.test.ts: test 1',
      'c.test.ts: the file could not be loaded',
    ]);
  });
});

describe('flakyTests', () => {
  it('names the failed tests of the files that passed when they ran again', () => {
    const second = outputOf({ 'a.test.ts': ['passed', 'passed'], 'c.test.ts': ['failed'] });

    expect(flakyTests(first, second)).toEqual(['a.test.ts: test 1']);
  });
});
