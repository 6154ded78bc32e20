import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { type CartItem, lineKey, selectCart } from './cart-slice.ts';
import { selectChosen } from './checkout-slice.ts';

/**
 * The lines that are paid together. A tool on request is paid alone, because the card is charged only if the owner
 * accepts. `chosen` is the key of the line to pay.
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
