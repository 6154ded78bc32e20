import { describe, expect, it } from '@jest/globals';
import { selectTests } from './test-selection.ts';

describe('selectTests', () => {
  it('selects all tests without arguments', () => {
    expect(selectTests([], [])).toEqual({
      parts: ['lint', 'types', 'node', 'web', 'browser'],
      jestOptions: [],
    });
  });

  it('selects only the given parts', () => {
    expect(selectTests(['web', 'lint'], []).parts).toEqual(['web', 'lint']);
  });

  it('excludes the web app and the journeys with --quick', () => {
    expect(selectTests(['--quick'], []).parts).toEqual(['lint', 'types', 'node']);
  });

  it.each(['nonsense', '--nonsense'])('rejects the unknown argument %s', (arg) => {
    expect(() => selectTests([arg], [])).toThrow(`Unknown part: ${arg}.`);
  });
});
