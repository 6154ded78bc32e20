import type { Dispatch } from '@reduxjs/toolkit';
import { type CartState, cartFollowed } from './cart-slice.ts';

let paying = false;
let waiting: CartState | null = null;

/** Adopts the cart of another tab, so that what was booked there is not paid again here. */
export function followCart(dispatch: Dispatch, cart: CartState): void {
  if (paying) waiting = cart;
  else dispatch(cartFollowed(cart));
}

/** Keeps this tab's cart unchanged during a payment, and applies other tabs' changes afterwards. */
export async function keepCartWhile<T>(dispatch: Dispatch, pay: () => Promise<T>): Promise<T> {
  paying = true;
  try {
    return await pay();
  } finally {
    paying = false;
    if (waiting) dispatch(cartFollowed(waiting));
    waiting = null;
  }
}
