/**
 * Parses a typed or pasted amount in dollars: `18`, `$1,250.50`, `12,5`, `USD 9.99 a day`. Returns null unless the text
 * has exactly one amount, with at most two decimals.
 */
export function parseDollars(text: string): number | null {
  const amount = /^[^\d.,-]*([\d.,]*\d)[.,]?[^\d]*$/.exec(text)?.[1] ?? '';
  if (/^(\d{1,3}(,\d{3})+|\d*)(\.\d{1,2})?$/.test(amount)) {
    return amount ? Number(amount.replaceAll(',', '')) : null;
  }
  // A decimal comma, as in most of Europe.
  if (/^(\d{1,3}(\.\d{3})+|\d+),\d{1,2}$/.test(amount)) {
    return Number(amount.replaceAll('.', '').replace(',', '.'));
  }
  return null;
}
