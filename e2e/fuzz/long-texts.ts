/** Long texts that may slow down regular expressions and searches. Most end with a character that matches nothing. */
const texts: readonly ((length: number) => string)[] = [
  (length) => `${'1'.repeat(length - 1)}x`,
  (length) => `${'1.'.repeat(length / 2 - 1)}x`,
  (length) => `${' '.repeat(length - 1)}x`,
  (length) => `x${' '.repeat(length - 2)}x`,
  (length) => '['.repeat(length),
  (length) => `${'('.repeat(length / 2)}${')'.repeat(length / 2 - 1)}`,
  (length) => `${'a.'.repeat(length / 2 - 4)}@b.test!`,
  (length) => `a@${'b-'.repeat(length / 2 - 2)}!`,
  (length) => `${'2026-05-31'.repeat(length / 10 - 1)}x`,
  (length) => '%_'.repeat(length / 2),
  (length) => 'a b '.repeat(length / 4),
  (length) => 'é'.repeat(length / 2),
  (length) => '\u200b'.repeat(length / 3),
  (length) => '; refresh_token='.repeat(length / 16),
];

/** The first length exceeds the body limit of every route; the second is just allowed where the limit is largest. */
const bodyLengths = [100_000, 30_000];
/** The URL and the headers may have 16 kB in total. URL encoding makes a text up to nine times longer. */
const addressLength = 9_000;
const escapedLength = 1_500;

export const longTexts = texts.flatMap((make) => bodyLengths.map((length) => make(length)));

export const longTextsInAddress = texts.map((make) => {
  const long = make(addressLength);
  // A path encodes a space as %20 (3 characters); a query also encodes brackets. Check the length of both.
  const escaped = [encodeURIComponent(long), `${new URLSearchParams({ '': long })}`.slice(1)];
  return escaped.every((text) => text.length <= addressLength) ? long : make(escapedLength);
});

const headerNames = [
  ...['authorization', 'cookie', 'idempotency-key', 'accept', 'accept-encoding', 'range'],
  ...['if-none-match', 'x-request-id', 'x-forwarded-for', 'content-type'],
  ...['accept-language', 'origin', 'stripe-signature', 'content-encoding'],
];
const headerTexts = [
  ...texts.map((make) => make(addressLength)).filter((text) => /^[ -~]+$/.test(text)),
  `Bearer ${' '.repeat(addressLength)}x y`,
  'a/b;q=0.1,'.repeat(addressLength / 10),
  'bytes=0-1,'.repeat(addressLength / 10),
  '"a", '.repeat(addressLength / 5),
  `multipart/form-data; boundary=${'x'.repeat(addressLength)}`,
];

export const longHeaders: readonly Record<string, string>[] = headerNames.flatMap((name) =>
  headerTexts.map((text) => ({ [name]: text })),
);
