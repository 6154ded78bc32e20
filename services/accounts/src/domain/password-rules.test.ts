import { describe, expect, it } from '@jest/globals';
import { isCommonPassword } from './password-rules.ts';

describe('isCommonPassword', () => {
  it.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'trustno1'])('refuses %s', (typed) => {
    expect(isCommonPassword(typed)).toBe(true);
  });

  it.each(['correct horse battery', 'pässwörd', '# The 3,000', ''])('accepts %j', (typed) => {
    expect(isCommonPassword(typed)).toBe(false);
  });
});
