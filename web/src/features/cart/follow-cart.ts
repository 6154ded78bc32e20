import type { Dispatch } from '@reduxjs/toolkit';
import { type CartState, cartFollowed } from './cart-slice.ts';

let paying = false;
let waiting: CartState | null = null;

/** Adopts the cart of another tab: what was bought there must not be paid for again here. */
export function followCart(dispatch: Dispatch, cart: CartState): void {
  if (paying) waiting = cart;
  else dispatch(cartFollowed(cart));
}

/** While this tab pays its cart stays as it is; other tabs are followed afterwards. */
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
