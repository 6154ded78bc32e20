import type { Hold } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/session-slice.ts';
import { type CartItem, lineKey } from './cart-slice.ts';

/** The progress of one cart's payment. It outlives the tab, so that nothing is paid twice. */
export interface Checkout {
  /** The cart that is being paid; another one needs another hold. */
  cartKey: string;
  /** Kept until the cart changes: asking again after a lost answer gives the same hold. */
  idempotencyKey: string;
  hold: Hold | null;
  payment: { id: string; intentId: string } | null;
}

interface CheckoutState {
  current: Checkout | null;
  /** Which request is paid next, by its line's key, where a cart has more than one thing to pay. */
  chosen?: string | null;
}

const none: CheckoutState = { current: null };

/** What is rented and when; prices are not part of it, since the server may correct them. */
export function cartKey(items: CartItem[]): string {
  return items.map((item) => `${lineKey(item)}|${item.quantity}`).join(';');
}

const checkoutSlice = createSlice({
  name: 'checkout',
  initialState: none,
  reducers: {
    checkoutStarted: (
      state,
      { payload }: PayloadAction<Pick<Checkout, 'cartKey' | 'idempotencyKey'>>,
    ): CheckoutState => ({ ...state, current: { ...payload, hold: null, payment: null } }),
    cartHeld: ({ current }, { payload }: PayloadAction<Hold>) => {
      if (current) current.hold = payload;
    },
    paymentStarted: ({ current }, { payload }: PayloadAction<NonNullable<Checkout['payment']>>) => {
      if (current) current.payment = payload;
    },
    checkoutEnded: () => none,
    paymentChosen: (state, { payload }: PayloadAction<string | null>) => {
      state.chosen = payload;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, () => none);
  },
});

export const { checkoutStarted, cartHeld, paymentStarted, checkoutEnded, paymentChosen } =
  checkoutSlice.actions;
export const checkoutReducer = checkoutSlice.reducer;
export const selectChosen = (state: { checkout: CheckoutState }) => state.checkout.chosen ?? null;
export const selectCheckout = (state: { checkout: CheckoutState }) => state.checkout.current;
