import { describe, expect, it } from '@jest/globals';
import type { Hold } from '@lendtools/contracts';
import {
  addItem,
  type CartItem,
  cartCleared,
  cartReducer,
  changeItem,
  computeTotals,
  itemAdded,
  itemRemoved,
  lineKey,
  linesBooked,
  linesPriced,
  removeItem,
} from './cart-slice.ts';

function line(overrides: Partial<CartItem> = {}): CartItem {
  return {
    id: 'drill',
    name: 'Hammer drill',
    description: 'Drills',
    price: 12.5,
    cover_image: 'null',
    booking_code: 'LT123456',
    quantity: 1,
    address: '',
    paymentDue: 25,
    rental_circle: 'daily',
    timeZone: 'UTC',
    onRequest: false,
    period: 2,
    start_date: '2026-11-23',
    start_time: '7.00 AM',
    end_date: '2026-11-25',
    end_time: '7.00 AM',
    toolOwnerId: 'sam',
    toolOwnerAddress: '',
    toolOwnerName: 'Sam',
    totalPrice: 25,
    ...overrides,
  };
}

describe('addItem', () => {
  it('appends a new item priced at price x quantity x period', () => {
    const items = addItem([], line({ quantity: 3, totalPrice: 0 }));

    expect(items).toEqual([line({ quantity: 3, totalPrice: 75, paymentDue: 75 })]);
  });

  it('adds one unit to an existing line', () => {
    const items = addItem([line()], line({ quantity: 4 }));

    expect(items).toEqual([line({ quantity: 2, totalPrice: 50, paymentDue: 50 })]);
  });

  it('never puts more units into the cart than the owner has', () => {
    const [first] = addItem([], line({ quantity: 4 }), 3);
    const [raised] = addItem([line({ quantity: 3 })], line(), 3);

    expect([first?.quantity, raised?.quantity]).toEqual([3, 3]);
    expect(raised?.totalPrice).toBe(75);
  });

  it('adds another line for the same tool on other dates', () => {
    const items = addItem([line()], line({ start_date: '2026-11-30', end_date: '2026-12-02' }));

    expect(items).toHaveLength(2);
  });
});

describe('removeItem', () => {
  it('removes one unit and its share of the total', () => {
    const items = removeItem([line({ quantity: 2, totalPrice: 50 })], lineKey(line()));

    expect(items).toEqual([line({ quantity: 1, totalPrice: 25, paymentDue: 25 })]);
  });

  it('removes the line when its last unit is removed, and keeps the other lines', () => {
    const saw = line({ id: 'saw' });

    expect(removeItem([line(), saw], lineKey(line()))).toEqual([saw]);
  });
});

describe('changeItem', () => {
  const saw = line({ id: 'saw' });

  it('keeps the position of a changed line and recomputes its total', () => {
    const changed = line({ quantity: 2, period: 3, end_date: '2026-11-26' });

    const items = changeItem([line(), saw], lineKey(line()), changed);

    expect(items).toEqual([{ ...changed, totalPrice: 75, paymentDue: 75 }, saw]);
  });

  it('merges a changed line with a line that has the same dates', () => {
    const later = line({ start_date: '2026-11-30', end_date: '2026-12-02', quantity: 2 });
    const changed = { ...later, start_date: line().start_date, end_date: line().end_date };

    const items = changeItem([line({ quantity: 3 }), saw, later], lineKey(later), changed);

    expect(items).toEqual([saw, { ...line({ quantity: 5 }), totalPrice: 125, paymentDue: 125 }]);
  });
});

describe('computeTotals', () => {
  it('adds up the cart in cents, without rounding errors', () => {
    const totals = computeTotals([line({ totalPrice: 0.1 }), line({ id: 'b', totalPrice: 0.2 })]);

    expect(totals).toMatchObject({ totalQuantity: 2, totalAmount: 0.3 });
  });
});

const hours = { rental_circle: 'hourly', period: 2, end_date: '2026-11-23' } as const;
const morning = line({ ...hours, end_time: '9.00 AM' });
const noon = line({ ...hours, start_time: '12.00 PM', end_time: '2.00 PM' });

type HeldLine = Hold['lines'][number];

function held(item: CartItem, overrides: Partial<HeldLine> = {}): HeldLine {
  const { id, name, booking_code, price, rental_circle, period, quantity, paymentDue } = item;
  const { start_date, start_time, end_date, end_time } = item;
  const reckoned = { name, booking_code, price, rental_circle, period, quantity, paymentDue };
  const times = { start_date, start_time, end_date, end_time };
  const policy = { discount: 0, cancellationPolicy: null };
  return { id: 'booking', rental_id: id, ...reckoned, ...policy, ...times, ...overrides };
}

describe('the cart', () => {
  it('counts the cart’s lines, and sets the count to 0 when the cart is cleared', () => {
    const full = [itemAdded(line()), itemAdded(line({ id: 'saw' })), itemAdded(line())].reduce(
      cartReducer,
      undefined,
    );
    const less = cartReducer(full, itemRemoved(lineKey(line({ id: 'saw' }))));

    expect(full).toMatchObject({ totalQuantity: 2, totalAmount: 75 });
    expect(less).toMatchObject({ totalQuantity: 1, totalAmount: 50 });
    expect(cartReducer(less, cartCleared())).toEqual({
      cartItems: [],
      totalQuantity: 0,
      totalAmount: 0,
    });
  });

  it('sets separate prices for two lines at different hours of the same day', () => {
    const cart = [itemAdded(morning), itemAdded(noon)].reduce(cartReducer, undefined);
    const priced = cartReducer(
      cart,
      linesPriced([held(morning, { paymentDue: 20 }), held(noon, { paymentDue: 40 })]),
    );

    expect(priced.cartItems.map(({ totalPrice }) => totalPrice)).toEqual([20, 40]);
  });

  it('keeps a cart line when the same tool is booked at another hour of the day', () => {
    const cart = [itemAdded(morning), itemAdded(noon)].reduce(cartReducer, undefined);

    const left = cartReducer(cart, linesBooked([held(noon)]));

    expect(left.cartItems.map(lineKey)).toEqual([lineKey(morning)]);
  });

  it('removes a booked cart line that has no times', () => {
    const daily = line({ start_time: '', end_time: '' });
    const cart = cartReducer(undefined, itemAdded(daily));

    expect(cartReducer(cart, linesBooked([held(daily)])).cartItems).toEqual([]);
  });
});
