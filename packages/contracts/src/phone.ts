/** Spaces within a line. A lookahead against line breaks would be shorter, but the fuzz can't make texts that match one. */
const spaces = String.raw` \t\u00a0\u2000-\u200a\u202f`;
/** Six digits are the shortest local numbers, 15 the most that E.164 allows. Phones paste typographic dashes. */
const number = String.raw`[+(${spaces}]*(?:\d[${spaces}().\-\u2010-\u2015\u2212/]*){6,15}`;
const extension = String.raw`(?:[,;]?[${spaces}]*(?:x|#|ext\.?|extension)[${spaces}.:=]*\d{1,6})?`;

/** A phone number in any common notation, US or international, with or without an extension. */
export const phonePattern = new RegExp(`^${number}${extension}$`, 'i');

export const phoneError = 'Please enter a valid phone number, such as (503) 555-0100';

/** Address books of phones put a copied number between marks that keep it left to right. */
export const withoutDirectionMarks = (text: string): string =>
  text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** For forms: the same check that the server makes. */
export const isPhone = (text: string): boolean =>
  phonePattern.test(withoutDirectionMarks(text).trim());
