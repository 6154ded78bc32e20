import { describe, expect, it } from '@jest/globals';
import { bearerToken } from './auth.ts';

describe('bearerToken', () => {
  it.each(['Bearer a.b.c', 'JWT a.b.c', 'jwt  a.b.c'])(
    'reads the token from the header "%s"',
    (header) => {
      expect(bearerToken(header)).toBe('a.b.c');
    },
  );

  it.each([undefined, '', 'a.b.c', 'Basic a.b.c', 'JWT', 'JWT a b'])(
    'finds no token in the header "%s"',
    (header) => {
      expect(bearerToken(header)).toBeUndefined();
    },
  );
});
