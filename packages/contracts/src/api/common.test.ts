import { describe, expect, it } from '@jest/globals';
import { createAccountBody, usersQuery } from './accounts.ts';
import { holdLine } from './bookings.ts';
import { addRentalBody, nearQuery, rentalsQuery } from './catalog.ts';
import { dollars, longText, text } from './common.ts';
import { createPaymentIntentBody } from './payments.ts';

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('what is searched for', () => {
  it.each([rentalsQuery, usersQuery])('holds no control character', (query) => {
    expect(takes(query, { q: 'O’Neill 50%' })).toBe(true);
    expect(takes(query, { q: 'a\0b' })).toBe(false);
  });
});

describe('text', () => {
  it.each(['José Ñandú', 'דנה', '👩‍👧', "O'Neill <3", 'a\u200eb'])('takes %j', (typed) => {
    expect(takes(text('a name', 60), typed)).toBe(true);
  });

  it.each([' ', '\u2800', '\u3164', '\uffa0\u115f\u1160', '\u200b\u2060', '\u{e0041}', '\ufe0f'])(
    'refuses %j, of which nothing can be seen',
    (typed) => {
      expect(takes(text('a name', 60), typed)).toBe(false);
      expect(takes(longText('a name', 60), typed)).toBe(false);
    },
  );

  it.each(['\u202eexe.gpj\u202c', 'a\u2066b\u2069', 'a\0b', 'a\ud800'])(
    'refuses %j, which reads as another',
    (typed) => {
      expect(takes(text('a name', 60), typed)).toBe(false);
      expect(takes(longText('a name', 60), typed)).toBe(false);
    },
  );

  it.each(['a\nb', 'a\u2028b', 'a\u2029b'])('of one line is not %j', (typed) => {
    expect(takes(text('a name', 60), typed)).toBe(false);
    expect(takes(longText('a name', 60), typed)).toBe(true);
  });
});

describe('the name of a person', () => {
  const { user_name, first_name, last_name } = createAccountBody.shape;

  it.each([user_name, first_name, last_name])('is no address to follow', (name) => {
    expect(['Anna-Maria', 'St. John', 'Www'].map((typed) => takes(name, typed))).toEqual(
      Array(3).fill(true),
    );
    expect(
      ['Win at https://evil.example', 'WWW.evil.example'].map((typed) => takes(name, typed)),
    ).toEqual([false, false]);
  });
});

describe('a number', () => {
  const { quantity } = addRentalBody.shape;
  const { lat } = nearQuery.shape;
  const { amount } = createPaymentIntentBody.shape;

  it.each([12.5, '12.5', ' 12.50 ', '.5', '7.'])('is %j', (typed) => {
    expect(dollars.parse(typed)).toBe(Number(typed));
  });

  it('may be negative, or left out where that is allowed', () => {
    expect(lat.parse('-82.6')).toBe(-82.6);
    expect(rentalsQuery.parse({})).toEqual({});
    expect([quantity.parse(undefined), holdLine.shape.quantity.parse(undefined)]).toEqual([1, 1]);
  });

  it.each([true, [60], ['60'], null, '', ' ', '0x3c', '1e2', '6_0', '６０', 'NaN', {}])(
    'is not %j',
    (typed) => {
      for (const field of [dollars, quantity, holdLine.shape.quantity, lat, amount])
        expect(takes(field, typed)).toBe(false);
    },
  );

  it('is not looked for in text that is too long for one', () => {
    // A number that a pattern would take: what is not looked at can't be slow.
    expect(takes(dollars, `12.5${' '.repeat(100)}`)).toBe(false);
  });

  it.each([0, -1, 1e-9, '0.000000001', 0.001, 12.345])('is no price: %j', (typed) => {
    expect(takes(dollars, typed)).toBe(false);
  });

  it('that is none is refused by the words of its field', () => {
    expect(dollars.safeParse('0x10').error?.issues).toMatchObject([
      { message: 'Please enter a price in dollars' },
    ]);
  });
});
