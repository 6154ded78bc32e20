import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { type CartItem, lineKey, selectCart } from './cart-slice.ts';
import { selectChosen } from './checkout-slice.ts';

/**
 * The lines of the next payment: all that are booked instantly, or a single request, because its card is charged only if
 * the owner accepts.
 * @param chosen the line key of the request to pay, if there are several payments
 */
function itemsToPay(items: CartItem[], chosen: string | null): CartItem[] {
  const requested = items.find((item) => item.onRequest && lineKey(item) === chosen);
  const instant = items.filter((item) => !item.onRequest);
  if (requested) return [requested];
  return instant.length > 0 ? instant : items.slice(0, 1);
}

export function useItemsToPay(): CartItem[] {
  const { cartItems } = useSelector(selectCart);
  const chosen = useSelector(selectChosen);
  return useMemo(() => itemsToPay(cartItems, chosen), [cartItems, chosen]);
}
