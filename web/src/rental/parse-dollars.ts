/** Parses an amount such as `$1,250.50`, `12,5` or `USD 9.99 a day`; null unless the text has exactly one amount. */
export function parseDollars(text: string): number | null {
  const amount = /^[^\d.,-]*([\d.,]*\d)[.,]?[^\d]*$/.exec(text)?.[1] ?? '';
  if (/^(\d{1,3}(,\d{3})+|\d*)(\.\d{1,2})?$/.test(amount)) {
    return amount ? Number(amount.replaceAll(',', '')) : null;
  }
  // The amount has a decimal comma, as in most of Europe.
  if (/^(\d{1,3}(\.\d{3})+|\d+),\d{1,2}$/.test(amount)) {
    return Number(amount.replaceAll('.', '').replace(',', '.'));
  }
  return null;
}
