import { describe, expect, it } from '@jest/globals';
import { selectTests } from './test-selection.ts';

describe('the tests that npm test selects', () => {
  it('are all without arguments', () => {
    expect(selectTests([], [])).toEqual({
      parts: ['lint', 'types', 'node', 'web', 'browser'],
      jestOptions: [],
    });
  });

  it('are those of the given parts', () => {
    expect(selectTests(['web', 'lint'], []).parts).toEqual(['web', 'lint']);
  });

  it('leave out the web app and the journeys with --quick', () => {
    expect(selectTests(['--quick'], []).parts).toEqual(['lint', 'types', 'node']);
  });

  it.each(['nonsense', '--nonsense'])('reject %s by name', (arg) => {
    expect(() => selectTests([arg], [])).toThrow(`There is no part ${arg}.`);
  });
});
