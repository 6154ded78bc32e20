import type { SavedCard } from '@lendtools/contracts';

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

export function cardName({ brand, last4 }: SavedCard): string {
  return `${brands[brand] ?? 'Card'} •••• ${last4}`;
}

/** A card is valid to the end of its month. */
export function hasExpired({ expMonth, expYear }: SavedCard, now = new Date()): boolean {
  return now >= new Date(expYear, expMonth);
}

export function expiryOf(card: SavedCard): string {
  const { expMonth, expYear } = card;
  const when = `${String(expMonth).padStart(2, '0')}/${String(expYear % 100).padStart(2, '0')}`;
  return `${hasExpired(card) ? 'Expired' : 'Expires'} ${when}`;
}
