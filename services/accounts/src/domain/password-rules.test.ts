import { describe, expect, it } from '@jest/globals';
import { isCommonPassword } from './password-rules.ts';

describe('isCommonPassword', () => {
  it.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'trustno1'])(
    'rejects the common password %s',
    (typed) => {
      expect(isCommonPassword(typed)).toBe(true);
    },
  );

  it.each(['aaaaaaaa', '        ', '😀😀😀😀😀😀😀😀', 'LendTools'])(
    'rejects the password %j',
    (typed) => {
      expect(isCommonPassword(typed)).toBe(true);
    },
  );

  it('rejects known details of the account, ignoring case', () => {
    const typed = ['Sam@Example.com', 'samrivers'];

    expect(typed.map((each) => isCommonPassword(each, 'sam@example.com', 'SamRivers'))).toEqual([
      true,
      true,
    ]);
  });

  it.each(['correct horse battery', 'pässwörd', '# The 3,000', ''])(
    'accepts the password %j',
    (typed) => {
      expect(isCommonPassword(typed)).toBe(false);
    },
  );
});
