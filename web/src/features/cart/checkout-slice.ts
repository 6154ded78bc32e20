import type { Hold } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/session-slice.ts';
import { type CartItem, lineKey } from './cart-slice.ts';

/** The progress of a cart's payment; persisted, so that closing the tab never leads to a second payment. */
export interface Checkout {
  /** The cart being paid; a different cart needs a new hold. */
  cartKey: string;
  /** The hold's idempotency key: it changes only with the cart, so that a retry returns the same hold. */
  idempotencyKey: string;
  hold: Hold | null;
  payment: { id: string; intentId: string } | null;
}

interface CheckoutState {
  current: Checkout | null;
  /** The key of the line to pay next, if the cart needs several payments. */
  chosen?: string | null;
}

const none: CheckoutState = { current: null };

/** Identifies a cart by its lines and quantities. Prices are left out, because the server may correct them. */
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

export function selectChosen(state: { checkout: CheckoutState }) {
  return state.checkout.chosen ?? null;
}

export function selectCheckout(state: { checkout: CheckoutState }) {
  return state.checkout.current;
}
