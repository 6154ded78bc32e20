import type { Hold, Terms } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { type BookingTimes, paymentDue, type RentalCircle } from '../../lib/booking-price.ts';

/** One tool over one stretch of time. `id` is the tool's. */
export interface CartItem {
  id: string;
  name: string;
  description: string;
  /** Dollars for one unit and one period. */
  price: number;
  cover_image: string;
  booking_code: string;
  quantity: number;
  address: string;
  paymentDue: number;
  rental_circle: RentalCircle;
  /** As the tool has them; none in a cart of an earlier version. */
  discounts?: Terms['discounts'];
  cancellation?: Terms['cancellation'];
  /** Of the tool's place. */
  timeZone?: string;
  /** Its owner is asked first; as the tool has it. */
  onRequest?: boolean;
  period: number;
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  toolOwnerId: string;
  toolOwnerAddress: string;
  /** First name; a cart kept by an earlier version has none. */
  toolOwnerName?: string;
  /** Price x quantity x period, less the discount. */
  totalPrice: number;
}

export interface CartState {
  cartItems: CartItem[];
  totalQuantity: number;
  totalAmount: number;
}

/** The same tool on other dates, or at other times of one day, is another line. */
export function lineKey(item: BookingTimes & Pick<CartItem, 'id'>): string {
  return [item.id, item.start_date, item.start_time, item.end_date, item.end_time].join('|');
}

/** `totalQuantity` counts the lines; a line's own units are its `quantity`. */
export function computeTotals(cartItems: CartItem[]): CartState {
  const cents = cartItems.reduce((sum, item) => sum + Math.round(item.totalPrice * 100), 0);
  return { cartItems, totalQuantity: cartItems.length, totalAmount: cents / 100 };
}

function withQuantity(item: CartItem, quantity: number): CartItem {
  const { total } = paymentDue({ ...item, quantity });
  return { ...item, quantity, paymentDue: total, totalPrice: total };
}

/**
 * A new item is appended; an existing one is raised by one unit, up to the `most` that its owner has. The unit's
 * price counts for its whole period, so that a line's total stays price x quantity x period.
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

/** Removes one unit from a line, and the line from the cart with its last unit. */
export function removeItem(items: CartItem[], key: string): CartItem[] {
  return items.flatMap((item) => {
    if (lineKey(item) !== key) return [item];
    return item.quantity > 1 ? [withQuantity(item, item.quantity - 1)] : [];
  });
}

/** A line with other dates or another quantity, in its old place. The units of one that is like it by now join it. */
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

/** Whether the owner of a tool has another cancellation policy by now. A replica of the version before does not say. */
export const hasOtherPolicy = (items: CartItem[], lines: HeldLine[]): boolean =>
  items.some((item) => {
    const policy = lines.find((line) => isSameLine(item, line))?.cancellationPolicy;
    return policy !== undefined && policy !== (item.cancellation ?? null);
  });

/** Takes over what the server reckoned: its prices, periods and policies are the ones that count. */
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
    /** What was booked leaves the cart; what was added meanwhile stays. */
    linesBooked: (cart, { payload: lines }: PayloadAction<HeldLine[]>) =>
      computeTotals(cart.cartItems.filter((item) => !lines.some((line) => isSameLine(item, line)))),
    cartCleared: () => emptyCart,
    /** Another tab of this browser has changed the cart that both share. */
    cartFollowed: (cart, { payload }: PayloadAction<CartState>) =>
      // Keeping an equal one keeps two tabs from answering each other for ever.
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
