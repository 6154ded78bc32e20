import { describe, expect, it } from '@jest/globals';
import { nameInEmail } from './formats.ts';

describe('nameInEmail', () => {
  it.each([
    'Sam',
    ' Rita ',
    'María-José',
    'O’Brien',
    "D'Arcy",
    'J. R.',
    '春香',
    'Anne Marie Lou',
    'Åse',
  ])('returns the plain name %s', (name) => {
    expect(nameInEmail(name)).toBe(name.trim());
  });

  it.each([
    'evil.example',
    'see evil.example',
    'http://evil',
    'a@b',
    'R2D2',
    'Win $100',
    'one two three four',
    'x'.repeat(31),
    '<b>Sam</b>',
    'Sam\u202Eevil',
    '',
  ])('returns nothing for the name %j', (name) => {
    expect(nameInEmail(name)).toBe('');
  });
});
