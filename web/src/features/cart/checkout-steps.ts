import type { Hold } from '@lendtools/contracts';
import {
  createSelector,
  type Dispatch,
  type ThunkDispatch,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import { type CartItem, lineKey } from './cart-slice.ts';
import {
  type Checkout,
  type CheckoutPart,
  type CheckoutState,
  checkoutChanged,
} from './checkout-slice.ts';

interface State {
  checkout: CheckoutState;
}

/** As 1.0.0 stored it, with one hold. */
type StoredCheckout = Omit<Checkout, 'parts'> & Partial<Checkout> & Partial<CheckoutPart>;

/** Keeps the hold and the payment that 1.0.0 stored, so that they are not paid twice. */
export const selectCheckout = createSelector(
  [({ checkout }: State): StoredCheckout | null => checkout.current],
  (stored): Checkout | null => {
    if (!stored) return null;
    const { hold, payment = null } = stored;
    return { ...stored, parts: stored.parts ?? (hold ? [{ hold, payment }] : []) };
  },
);

/** Identifies a cart by its lines and quantities. Prices are left out, because the server may correct them. */
export function cartKey(items: CartItem[]): string {
  return items.map((item) => `${lineKey(item)}|${item.quantity}`).join(';');
}

export const useCheckoutDispatch =
  useDispatch.withTypes<ThunkDispatch<State, undefined, UnknownAction>>();

function change(toNext: (current: Checkout) => Checkout | null) {
  return (dispatch: Dispatch, getState: () => State) => {
    const current = selectCheckout(getState());
    if (current) dispatch(checkoutChanged(toNext(current)));
  };
}

export function checkoutStarted(started: Pick<Checkout, 'cartKey' | 'idempotencyKey'>) {
  return checkoutChanged({ ...started, parts: [] });
}

export function cartHeld(holds: Hold[]) {
  const parts = holds.map((hold) => ({ hold, payment: null }));
  return change((current) => ({ ...current, parts }));
}

export function partChanged(holdId: string, changed: Partial<CheckoutPart>) {
  return change((current) => ({
    ...current,
    parts: current.parts.map((part) => (part.hold.id === holdId ? { ...part, ...changed } : part)),
  }));
}

/** Some parts are paid, and the next one could not be. */
export function checkoutInterrupted(problem: string) {
  return change((current) => ({ ...current, problem }));
}

/** The paid parts are booked. Their lines have left the cart, and the others can still be paid. */
export function paidPartsBooked(keyOfRest: string) {
  return change(({ parts, idempotencyKey }) => {
    const rest = parts.filter(({ isPaid, isOver }) => !isPaid && !isOver);
    return rest.length > 0 ? { cartKey: keyOfRest, idempotencyKey, parts: rest } : null;
  });
}

export function checkoutEnded() {
  return checkoutChanged(null);
}
