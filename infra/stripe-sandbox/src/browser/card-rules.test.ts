import { describe, expect, it } from '@jest/globals';
import { brandOf, findErrors, formatExpiry, formatNumber } from './card-rules.ts';

const today = new Date('2026-11-21T12:00:00Z');
const good = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', postalCode: '94110' };

describe('the card form', () => {
  it.each([
    ['4242424242424242999', '4242 4242 4242 4242', 'visa'],
    ['378282246310005', '3782 822463 10005', 'amex'],
    ['5555-5555 5555 4444', '5555 5555 5555 4444', 'mastercard'],
    ['12a', '12', 'unknown'],
  ])('formats the card number %s as %s and detects the brand %s', (typed, written, brand) => {
    expect(formatNumber(typed)).toBe(written);
    expect(brandOf(written.replaceAll(' ', '')).name).toBe(brand);
  });

  it.each([
    ['1', '1'],
    ['3', '03 / '],
    ['12', '12 / '],
    ['1/28', '01 / 28'],
    ['12/2034', '12 / 34'],
    ['12 / 345', '12 / 34'],
  ])('formats the expiry %s as %s', (typed, written) => {
    expect(formatExpiry(typed, false)).toBe(written);
  });

  it('lets the user delete the slash of the expiry', () => {
    expect(formatExpiry('12 /', true)).toBe('12');
  });

  it('accepts a complete and valid card', () => {
    expect(findErrors(good, today)).toEqual({});
  });

  it.each([
    [{ number: '4242' }, 'number', 'incomplete_number'],
    [{ number: '4242 4242 4242 4241' }, 'number', 'invalid_number'],
    [{ expiry: '12' }, 'expiry', 'incomplete_expiry'],
    [{ expiry: '13 / 34' }, 'expiry', 'invalid_expiry_month'],
    [{ expiry: '10 / 26' }, 'expiry', 'invalid_expiry_month_past'],
    [{ expiry: '12 / 25' }, 'expiry', 'invalid_expiry_year_past'],
    [{ cvc: '12' }, 'cvc', 'incomplete_cvc'],
    [{ postalCode: '941' }, 'postalCode', 'incomplete_zip'],
  ])('reports, for a card with %j in the field %s, the error %s', (change, field, code) => {
    const errors = findErrors({ ...good, ...change }, today);

    expect(errors).toMatchObject({ [field]: { type: 'validation_error', code } });
  });
});
