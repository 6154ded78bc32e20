import { randomInt } from 'node:crypto';

/** Without I, L, O and U, which are easily confused when a number is read aloud. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A random number such as `R-4H7K-2M9Q`: `R` for a receipt, `C` for a credit note. */
export const newReceiptNumber = (kind: 'R' | 'C'): string => {
  const part = () =>
    Array.from({ length: 4 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return `${kind}-${part()}-${part()}`;
};

/** The tax in a price that includes it. Computed in thousandths of a percent, so that no half cent is lost to binary fractions. */
export const includedTaxCents = (amountCents: number, percent: number): number => {
  const thousandths = Math.round(percent * 1_000);
  return Math.round((amountCents * thousandths) / (100_000 + thousandths));
};
