import { describe, expect, it } from '@jest/globals';
import { createAccountBody, usersQuery } from './accounts.ts';
import { holdLine } from './bookings.ts';
import { addRentalBody, nearQuery, rentalsQuery } from './catalog.ts';
import { dollars, longText, text } from './common.ts';
import { createPaymentIntentBody } from './payments.ts';

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('search terms', () => {
  it.each([rentalsQuery, usersQuery])('must not contain control characters', (query) => {
    expect(takes(query, { q: 'O’Neill 50%' })).toBe(true);
    expect(takes(query, { q: 'a\0b' })).toBe(false);
  });
});

describe('text', () => {
  it.each(['José Ñandú', 'דנה', '👩‍👧', "O'Neill <3", 'a\u200eb'])(
    'accepts the text %j',
    (typed) => {
      expect(takes(text('a name', 60), typed)).toBe(true);
    },
  );

  it.each([' ', '\u2800', '\u3164', '\uffa0\u115f\u1160', '\u200b\u2060', '\u{e0041}', '\ufe0f'])(
    'rejects invisible text %j',
    (typed) => {
      expect(takes(text('a name', 60), typed)).toBe(false);
      expect(takes(longText('a name', 60), typed)).toBe(false);
    },
  );

  it.each(['\u202eexe.gpj\u202c', 'a\u2066b\u2069', 'a\0b', 'a\ud800'])(
    'rejects the text %j, which displays as something else or can’t be stored',
    (typed) => {
      expect(takes(text('a name', 60), typed)).toBe(false);
      expect(takes(longText('a name', 60), typed)).toBe(false);
    },
  );

  it.each(['a\nb', 'a\u2028b', 'a\u2029b'])(
    'rejects the line break in %j as text, but accepts it as longText',
    (typed) => {
      expect(takes(text('a name', 60), typed)).toBe(false);
      expect(takes(longText('a name', 60), typed)).toBe(true);
    },
  );
});

describe('a user’s name', () => {
  const { user_name, first_name, last_name } = createAccountBody.shape;

  it.each([user_name, first_name, last_name])('must not contain a web address', (name) => {
    expect(['Anna-Maria', 'St. John', 'Www'].map((typed) => takes(name, typed))).toEqual(
      Array(3).fill(true),
    );
    expect(
      ['Win at https://evil.example', 'WWW.evil.example'].map((typed) => takes(name, typed)),
    ).toEqual([false, false]);
  });
});

describe('numeric field', () => {
  const { quantity } = addRentalBody.shape;
  const { lat } = nearQuery.shape;
  const { amount } = createPaymentIntentBody.shape;

  it.each([12.5, '12.5', ' 12.50 ', '.5', '7.'])('parses the number %j', (typed) => {
    expect(dollars.parse(typed)).toBe(Number(typed));
  });

  it('accepts a negative coordinate, and may be omitted if it is optional', () => {
    expect(lat.parse('-82.6')).toBe(-82.6);
    expect(rentalsQuery.parse({})).toEqual({});
    expect([quantity.parse(undefined), holdLine.shape.quantity.parse(undefined)]).toEqual([1, 1]);
  });

  it.each([true, [60], ['60'], null, '', ' ', '0x3c', '1e2', '6_0', '６０', 'NaN', {}])(
    'rejects %j as a number',
    (typed) => {
      for (const field of [dollars, quantity, holdLine.shape.quantity, lat, amount])
        expect(takes(field, typed)).toBe(false);
    },
  );

  it('rejects an overlong number by its length, without running its pattern', () => {
    // The pattern would accept this number, so only the length check can reject it.
    expect(takes(dollars, `12.5${' '.repeat(100)}`)).toBe(false);
  });

  it.each([0, -1, 1e-9, '0.000000001', 0.001, 12.345])('rejects the price %j', (typed) => {
    expect(takes(dollars, typed)).toBe(false);
  });

  it('reports an invalid number with the field’s own message', () => {
    expect(dollars.safeParse('0x10').error?.issues).toMatchObject([
      { message: 'Please enter a price in dollars' },
    ]);
  });
});
