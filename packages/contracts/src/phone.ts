/**
 * All space characters except line breaks. They are listed one by one, because the fuzzer can't generate text for a negative
 * lookahead.
 */
const spaces = String.raw` \t\u00a0\u2000-\u200a\u202f`;
/** At least 6 digits (the shortest local number), at most 15 (as in E.164). Allows typographic dashes, which phones may paste. */
const number = String.raw`[+(${spaces}]*(?:\d[${spaces}().\-\u2010-\u2015\u2212/]*){6,15}`;
const extension = String.raw`(?:[,;]?[${spaces}]*(?:x|#|ext\.?|extension)[${spaces}.:=]*\d{1,6})?`;

/** Accepts any common notation, US or international, with or without an extension. */
export const phonePattern = new RegExp(`^${number}${extension}$`, 'i');

export const phoneError = 'Please enter a valid phone number, such as (503) 555-0100';

/** Removes the left-to-right marks in which address books wrap a copied number. */
export const withoutDirectionMarks = (text: string): string =>
  text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** For forms: true if the server would accept this phone number. */
export const isPhone = (text: string): boolean =>
  phonePattern.test(withoutDirectionMarks(text).trim());
