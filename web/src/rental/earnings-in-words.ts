import { formatMoney } from './format.ts';

/** Formats dollars as `$34.00 − $3.40 = $30.60`: what renters pay, the commission, and what the owner gets. */
export function earningsInWords({ gross, fee, net }: { gross: number; fee: number; net: number }) {
  return `${formatMoney(gross)} − ${formatMoney(fee)} = ${formatMoney(net)}`;
}

/** Does the same for cents; without a commission it formats only the amount. */
export function earnedInWords(grossCents: number, feeCents: number): string {
  if (feeCents === 0) return formatMoney(grossCents / 100);
  const [gross, fee, net] = [grossCents, feeCents, grossCents - feeCents].map(
    (cents) => cents / 100,
  ) as [number, number, number];
  return earningsInWords({ gross, fee, net });
}
