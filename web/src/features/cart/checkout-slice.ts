import type { Hold } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/session-slice.ts';

/** What one payment pays for: the tools that are booked at once, or one tool on request. */
export interface CheckoutPart {
  hold: Hold;
  payment: { id: string; intentId: string } | null;
  /** Whether the card is charged or, for a request, authorized. */
  isPaid?: boolean;
  /** Whether its dates were given up. */
  isOver?: boolean;
}

/** The progress of a cart's payments; persisted, so that closing the tab never leads to a second payment. */
export interface Checkout {
  /** The cart being paid; a different cart needs new holds. */
  cartKey: string;
  /** The holds' idempotency key: it changes only with the cart, so that a retry returns the same holds. */
  idempotencyKey: string;
  parts: CheckoutPart[];
  /** Why the first part that is not paid could not be paid. */
  problem?: string;
}

export interface CheckoutState {
  current: Checkout | null;
}

const none: CheckoutState = { current: null };

const checkoutSlice = createSlice({
  name: 'checkout',
  initialState: none,
  reducers: {
    // The changes are in `checkout-steps.ts`, which only the cart loads.
    checkoutChanged: (_, { payload }: PayloadAction<Checkout | null>) => ({ current: payload }),
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, () => none);
  },
});

export const { checkoutChanged } = checkoutSlice.actions;
export const checkoutReducer = checkoutSlice.reducer;
