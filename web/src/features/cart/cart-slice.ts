import type { Hold, Terms } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { type BookingTimes, paymentDue, type RentalCircle } from '../../lib/booking-price.ts';

/** One line of the cart: a tool for one period. `id` is the tool's. */
export interface CartItem {
  id: string;
  name: string;
  description: string;
  /** Dollars for one unit and one day or hour. */
  price: number;
  cover_image: string;
  booking_code: string;
  quantity: number;
  address: string;
  paymentDue: number;
  rental_circle: RentalCircle;
  /** The tool's discounts; missing in carts stored by earlier versions. */
  discounts?: Terms['discounts'];
  cancellation?: Terms['cancellation'];
  timeZone?: string;
  /** Whether the owner has to accept the request. */
  onRequest?: boolean;
  period: number;
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  toolOwnerId: string;
  toolOwnerAddress: string;
  /** The owner's first name; missing in carts stored by earlier versions. */
  toolOwnerName?: string;
  /** Price × quantity × period, minus the discount. */
  totalPrice: number;
}

export interface CartState {
  cartItems: CartItem[];
  totalQuantity: number;
  totalAmount: number;
}

/** Identifies a line: the same tool on other dates or at other times is another line. */
export function lineKey(item: BookingTimes & Pick<CartItem, 'id'>): string {
  return [item.id, item.start_date, item.start_time, item.end_date, item.end_time].join('|');
}

/** `totalQuantity` is the number of lines, not of units. */
export function computeTotals(cartItems: CartItem[]): CartState {
  const cents = cartItems.reduce((sum, item) => sum + Math.round(item.totalPrice * 100), 0);
  return { cartItems, totalQuantity: cartItems.length, totalAmount: cents / 100 };
}

function withQuantity(item: CartItem, quantity: number): CartItem {
  const { total } = paymentDue({ ...item, quantity });
  return { ...item, quantity, paymentDue: total, totalPrice: total };
}

/**
 * Appends a new item. If the line exists, adds one unit to it, up to the `most` that the owner has. The line's price is
 * computed again for the new quantity.
 */
export function addItem(
  items: CartItem[],
  added: CartItem,
  most = Number.POSITIVE_INFINITY,
): CartItem[] {
  const key = lineKey(added);
  if (!items.some((item) => lineKey(item) === key)) {
    return [...items, withQuantity(added, Math.min(added.quantity, most))];
  }
  return items.map((item) =>
    lineKey(item) === key ? withQuantity(item, Math.min(item.quantity + 1, most)) : item,
  );
}

export function removeItem(items: CartItem[], key: string): CartItem[] {
  return items.flatMap((item) => {
    if (lineKey(item) !== key) return [item];
    return item.quantity > 1 ? [withQuantity(item, item.quantity - 1)] : [];
  });
}

/** Changes the dates or quantity of a line in place. If another line now has the same dates, it is merged into this one. */
export function changeItem(items: CartItem[], key: string, changed: CartItem): CartItem[] {
  const joins = (item: CartItem) => lineKey(item) !== key && lineKey(item) === lineKey(changed);
  const joined = items.filter(joins).reduce((sum, { quantity }) => sum + quantity, 0);
  return items
    .filter((item) => !joins(item))
    .map((item) =>
      lineKey(item) === key ? withQuantity(changed, changed.quantity + joined) : item,
    );
}

type HeldLine = Hold['lines'][number];

const isSameLine = (item: CartItem, line: HeldLine) =>
  lineKey(item) === lineKey({ ...line, id: line.rental_id });

/** Whether an owner's cancellation policy differs from the one in the cart. Replicas of the previous release don't send it. */
export const hasOtherPolicy = (items: CartItem[], lines: HeldLine[]): boolean =>
  items.some((item) => {
    const policy = lines.find((line) => isSameLine(item, line))?.cancellationPolicy;
    return policy !== undefined && policy !== (item.cancellation ?? null);
  });

/** Overwrites prices, periods and policies with the server's, which are authoritative. */
function priceItems(items: CartItem[], lines: HeldLine[]): CartItem[] {
  return items.map((item) => {
    const line = lines.find((held) => isSameLine(item, held) && held.quantity === item.quantity);
    if (!line) return item;
    const { price, period, paymentDue: due, cancellationPolicy: policy } = line;
    const cancellation = policy === undefined ? item.cancellation : (policy ?? undefined);
    return { ...item, price, period, cancellation, paymentDue: due, totalPrice: due };
  });
}

const emptyCart: CartState = { cartItems: [], totalQuantity: 0, totalAmount: 0 };

const cartSlice = createSlice({
  name: 'cart',
  initialState: emptyCart,
  reducers: {
    itemAdded: {
      prepare: (item: CartItem, most?: number) => ({ payload: { item, most } }),
      reducer: (
        cart,
        { payload: { item, most } }: PayloadAction<{ item: CartItem; most?: number }>,
      ) => computeTotals(addItem(cart.cartItems, item, most)),
    },
    itemRemoved: (cart, { payload: key }: PayloadAction<string>) =>
      computeTotals(removeItem(cart.cartItems, key)),
    itemChanged: (cart, { payload }: PayloadAction<{ key: string; item: CartItem }>) =>
      computeTotals(changeItem(cart.cartItems, payload.key, payload.item)),
    linesPriced: (cart, { payload: lines }: PayloadAction<HeldLine[]>) =>
      computeTotals(priceItems(cart.cartItems, lines)),
    /** Removes the booked lines; lines that were added meanwhile stay. */
    linesBooked: (cart, { payload: lines }: PayloadAction<HeldLine[]>) =>
      computeTotals(cart.cartItems.filter((item) => !lines.some((line) => isSameLine(item, line)))),
    cartCleared: () => emptyCart,
    /** Another tab changed the cart, which both share. */
    cartFollowed: (cart, { payload }: PayloadAction<CartState>) =>
      // Returning the same object for an equal cart keeps two tabs from updating each other endlessly.
      JSON.stringify(cart) === JSON.stringify(payload) ? cart : payload,
  },
});

export const {
  itemAdded,
  itemRemoved,
  itemChanged,
  linesPriced,
  linesBooked,
  cartCleared,
  cartFollowed,
} = cartSlice.actions;
export const cartReducer = cartSlice.reducer;
export const selectCart = (state: { cart: CartState }): CartState => state.cart;
