import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAccountBody, updateAccountBody } from './api/accounts.ts';
import { phoneError } from './phone.ts';

const phone = createAccountBody.shape.phone;

const digits = (length: number) => fc.stringMatching(new RegExp(`^[2-9][0-9]{${length - 1}}$`));
const separator = fc.constantFrom('', ' ', '-', '.', '/', ' - ', '\u00a0', '\u2011', '\u2013');
const countryCode = fc.constantFrom('', '1', '+1', '+ 1', '001', '(+1)');
const extension = fc.oneof(
  fc.constant(''),
  fc
    .tuple(
      fc.constantFrom(
        ' x',
        'x',
        ' ext ',
        ' ext. ',
        ', ext. ',
        ' Ext: ',
        ' extension ',
        ' #',
        ';ext=',
      ),
      digits(3),
    )
    .map((parts) => parts.join('')),
);
const areaCode = fc
  .tuple(digits(3), fc.boolean())
  .map(([area, inParentheses]) => (inParentheses ? `(${area})` : area));

/** A US number in any mix of the notations that people and address books use. */
const usNumber = fc
  .record({ countryCode, areaCode, exchange: digits(3), line: digits(4), separator, extension })
  .map(
    ({ countryCode, areaCode, exchange, line, separator, extension }) =>
      [countryCode, areaCode, exchange, line].filter(Boolean).join(separator) + extension,
  );

describe('the field for a phone number', () => {
  it.each([
    '(503) 555-0100',
    '503-555-0100',
    '503.555.0100',
    '503 555 0100',
    '5035550100',
    '555-0100',
    '+1 503 555 0100',
    '+1 (503) 555-0100',
    '+1-503-555-0100',
    '1-503-555-0100',
    '1 (503) 555-0100',
    '(503) 555-0100 ext. 12',
    '503-555-0100 x12',
    '+44 20 7946 0958',
    '+49 (0)30 901820',
    '503—555—0100',
    '503−555−0100',
  ])('accepts %s', (text) => {
    expect(phone.parse(text)).toBe(text);
    expect(updateAccountBody.parse({ phone: text })).toEqual({ phone: text });
  });

  it('accepts any US notation and keeps the number as typed', () => {
    fc.assert(
      fc.property(usNumber, (text) => {
        expect(phone.parse(` ${text} `)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('strips the invisible direction marks that address books add', () => {
    expect(phone.parse('\u202a(503)\u00a0555\u20110100\u202c')).toBe('(503)\u00a0555\u20110100');
  });

  it.each([
    '',
    'none',
    '503-55',
    '()-.+ ()-.+',
    '503555010\n0',
    'call 503 555 0100',
    '503 555 0100 after six',
    '1234567890123456',
    'me@lendtools.example',
  ])('rejects %j, with an example in the message', (text) => {
    expect(phone.safeParse(text).error?.issues[0]?.message).toBe(phoneError);
    expect(phoneError).toContain('(503) 555-0100');
  });

  it('rejects fewer than six digits', () => {
    const fewDigits = fc
      .stringMatching(/^[-+() .x#/\d]{0,40}$/)
      .filter((text) => text.replaceAll(/\D/g, '').length < 6);
    fc.assert(
      fc.property(fewDigits, (text) => {
        expect(phone.safeParse(text).success).toBe(false);
      }),
    );
  });
});
