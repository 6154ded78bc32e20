import type { Hold, Terms } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { type BookingTimes, paymentDue, type RentalCircle } from '../../rental/booking-price.ts';

/** A tool in the cart for one period. `id` is the tool's id. */
export interface CartItem {
  id: string;
  name: string;
  description: string;
  /** The price in dollars for one unit and one day or hour. */
  price: number;
  cover_image: string;
  booking_code: string;
  quantity: number;
  address: string;
  paymentDue: number;
  rental_circle: RentalCircle;
  discounts?: Terms['discounts'];
  cancellation?: Terms['cancellation'];
  timeZone: string;
  /** Whether the owner has to accept the booking. */
  onRequest: boolean;
  period: number;
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  toolOwnerId: string;
  toolOwnerAddress: string;
  /** The owner's first name. */
  toolOwnerName: string;
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

/** Appends a new item, or adds one unit to an existing line, up to the `most` that the owner has. */
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

/** Changes a line in place, and merges it with another line that now has the same dates. */
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

export function isSameLine(item: CartItem, line: HeldLine) {
  return lineKey(item) === lineKey({ ...line, id: line.rental_id });
}

/** Whether an owner has changed the cancellation policy of a tool in the cart. */
export function hasOtherPolicy(items: CartItem[], lines: HeldLine[]): boolean {
  return items.some((item) => {
    const line = lines.find((held) => isSameLine(item, held));
    return line !== undefined && line.cancellationPolicy !== (item.cancellation ?? null);
  });
}

/** Adopts the server's prices, periods and policies, which are authoritative. */
function priceItems(items: CartItem[], lines: HeldLine[]): CartItem[] {
  return items.map((item) => {
    const line = lines.find((held) => isSameLine(item, held) && held.quantity === item.quantity);
    if (!line) return item;
    const { price, period, paymentDue: due, cancellationPolicy } = line;
    const cancellation = cancellationPolicy ?? undefined;
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
    /** Removes the booked lines only, because others may have been added meanwhile. */
    linesBooked: (cart, { payload: lines }: PayloadAction<HeldLine[]>) =>
      computeTotals(cart.cartItems.filter((item) => !lines.some((line) => isSameLine(item, line)))),
    cartCleared: () => emptyCart,
    cartFollowed: (cart, { payload }: PayloadAction<CartState>) =>
      // Keep the same object for an equal cart: otherwise two tabs would update each other endlessly.
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

export function selectCart(state: { cart: CartState }): CartState {
  return state.cart;
}
