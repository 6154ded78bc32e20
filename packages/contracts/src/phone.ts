/**
 * Spaces without line breaks. A negative lookahead would be
 * shorter, but the fuzzer can't generate matching text for it.
 */
const spaces = String.raw` \t\u00a0\u2000-\u200a\u202f`;
/** 6 digits is the shortest local number, 15 the maximum of E.164. Phones paste typographic dashes. */
const number = String.raw`[+(${spaces}]*(?:\d[${spaces}().\-\u2010-\u2015\u2212/]*){6,15}`;
const extension = String.raw`(?:[,;]?[${spaces}]*(?:x|#|ext\.?|extension)[${spaces}.:=]*\d{1,6})?`;

/** A phone number in any common notation, US or international, with or without an extension. */
export const phonePattern = new RegExp(`^${number}${extension}$`, 'i');

export const phoneError = 'Please enter a valid phone number, such as (503) 555-0100';

/** Phone address books wrap a copied number in left-to-right marks. */
export const withoutDirectionMarks = (text: string): string =>
  text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** Whether the server would accept this phone number; for forms. */
export const isPhone = (text: string): boolean =>
  phonePattern.test(withoutDirectionMarks(text).trim());
