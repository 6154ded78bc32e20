import type { Dispatch } from '@reduxjs/toolkit';
import { type CartState, cartFollowed } from './cart-slice.ts';

let paying = false;
let waiting: CartState | null = null;

/** Adopts another tab's cart, so that this tab does not pay again for lines that were booked there. */
export function followCart(dispatch: Dispatch, cart: CartState): void {
  if (paying) waiting = cart;
  else dispatch(cartFollowed(cart));
}

/** Keeps this tab's cart unchanged during a payment; other tabs' changes are applied afterwards. */
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
