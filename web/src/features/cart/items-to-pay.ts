import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { type CartItem, lineKey, selectCart } from './cart-slice.ts';
import { selectChosen } from './checkout-slice.ts';

/**
 * What is paid at once: the lines that are booked at once, or one that is requested, since its card is charged only if its
 * owner accepts.
 * @param chosen which request, where there is more than one thing to pay
 */
function itemsToPay(items: CartItem[], chosen: string | null): CartItem[] {
  const requested = items.find((item) => item.onRequest && lineKey(item) === chosen);
  const instant = items.filter((item) => !item.onRequest);
  if (requested) return [requested];
  return instant.length > 0 ? instant : items.slice(0, 1);
}

/** What the card form pays now. */
export function useItemsToPay(): CartItem[] {
  const { cartItems } = useSelector(selectCart);
  const chosen = useSelector(selectChosen);
  return useMemo(() => itemsToPay(cartItems, chosen), [cartItems, chosen]);
}
