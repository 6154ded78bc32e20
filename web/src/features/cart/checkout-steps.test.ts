import { describe, expect, it } from '@jest/globals';
import { buildHold, ids } from '../../../test/bookings.ts';
import type { Checkout } from './checkout-slice.ts';
import { selectCheckout } from './checkout-steps.ts';

describe('a stored checkout', () => {
  const stored = { cartKey: 'cart', idempotencyKey: 'key' };
  const payment = { id: ids.payment, intentId: 'pi_1' };
  const restore = (current: object | null) =>
    selectCheckout({ checkout: { current: current as Checkout | null } });

  it('of 1.0.0 keeps its hold and its payment, so that it is not paid twice', () => {
    const hold = buildHold();

    expect(restore({ ...stored, hold, payment })?.parts).toEqual([{ hold, payment }]);
    expect(restore({ ...stored, hold: null, payment: null })?.parts).toEqual([]);
  });

  it('of this version keeps its parts', () => {
    const parts = [{ hold: buildHold(), payment, isPaid: true }];

    expect(restore({ ...stored, parts })).toEqual({ ...stored, parts });
    expect(restore(null)).toBeNull();
  });
});
