/**
 * Dollars out of what somebody typed or pasted: `18`, `$1,250.50`, `12,5`, `USD 9.99 a day`. Null where it is not one
 * amount with at most two digits of cents.
 */
export function parseDollars(text: string): number | null {
  const amount = /^[^\d.,-]*([\d.,]*\d)[.,]?[^\d]*$/.exec(text)?.[1] ?? '';
  if (/^(\d{1,3}(,\d{3})+|\d*)(\.\d{1,2})?$/.test(amount)) {
    return amount ? Number(amount.replaceAll(',', '')) : null;
  }
  // With a comma before the cents, as much of the world writes it.
  if (/^(\d{1,3}(\.\d{3})+|\d+),\d{1,2}$/.test(amount)) {
    return Number(amount.replaceAll('.', '').replace(',', '.'));
  }
  return null;
}
