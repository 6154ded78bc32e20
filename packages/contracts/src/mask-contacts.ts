/** What the recipient reads instead of a contact detail. */
export const maskedContact = '[hidden]';

interface Span {
  start: number;
  end: number;
}

interface Word extends Span {
  text: string;
  /** How many digits the word stands for: "503" for three, "five" for one, "drill" for none. */
  digits: number;
}

/** A text normalized for matching: no invisible characters or marks, lower case, NFKC. */
interface Folded {
  text: string;
  /** For each UTF-16 unit of `text`, where its character starts in the original text. */
  starts: number[];
  ends: number[];
}

const fold = (original: string): Folded => {
  const folded: Folded = { text: '', starts: [], ends: [] };
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    // A mark on a character, such as the frame of a keycap emoji, belongs to the character.
    if (/\p{M}/u.test(character)) {
      if (folded.ends.length > 0) folded.ends[folded.ends.length - 1] = end;
    } else if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) {
      const plain = character.normalize('NFKC').toLowerCase();
      folded.text += plain;
      for (let unit = 0; unit < plain.length; unit++) {
        folded.starts.push(at);
        folded.ends.push(end);
      }
    }
    at = end;
  }
  return folded;
};

const fewestPhoneDigits = 7;
const numberWords = new Set('zero oh one two three four five six seven eight nine'.split(' '));

/** Endings that make `name.ending` an address on the web. */
const endings = new Set(
  `com net org edu gov io co me us uk ca de app dev info biz ly gg link site online shop store xyz email live page chat tv cc`.split(
    ' ',
  ),
);
/** Endings that are unlikely after the word "dot" in other texts. */
const spokenEndings = new Set(['com', 'net', 'org', 'edu', 'info', 'biz', 'io', 'co']);
const mailHosts = new Set(
  'gmail googlemail hotmail outlook yahoo icloud protonmail aol gmx'.split(' '),
);

const digitsIn = (text: string): number => {
  if (/^\p{Nd}+$/u.test(text)) return [...text].length;
  return numberWords.has(text) ? 1 : 0;
};

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/\p{Nd}+|[\p{L}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
    digits: digitsIn(word),
  }));

const dates =
  /(?<!\d)(?:(?:19|20)\d\d([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:19|20)\d\d|(?<!\/)(?:0?[1-9]|1[0-2])\/(?:0?[1-9]|[12]\d|3[01])(?:\/\d\d)?(?!\/))(?!\d)/g;
const times = /(?<![\d.:])(?:[01]?\d|2[0-3])[.:][0-5]\d(?![.:]?\d)/g;

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));

/** A function that returns whether a word lies in one of the spans. Both come in the order of the text. */
const within = (spans: Span[]) => {
  let next = 0;
  return ({ start, end }: Span): boolean => {
    while (next < spans.length && (spans[next] as Span).end <= start) next++;
    const span = spans[next];
    return span !== undefined && span.start <= start && end <= span.end;
  };
};

/** Matches what may separate the groups of a phone number. */
const joinsDigits = /^(?:,|[\s\p{Pd}.()[\]/+_*~·•\\:;|=#]{0,6})$/u;

/** Finds runs of seven or more digits, also written as words. Dates and times are not digits of a phone number. */
const phones = (text: string, words: Word[]): Span[] => {
  const isDate = within(spansOf(text, dates));
  const isTime = within(spansOf(text, times));
  const found: Span[] = [];
  let run: (Span & { digits: number }) | undefined;
  for (const word of words) {
    const [date, time] = [isDate(word), isTime(word)];
    const isJoined = run && joinsDigits.test(text.slice(run.end, word.end - word.text.length));
    if (word.digits === 0 || date || time) run = undefined;
    else if (run && isJoined) {
      run.end = word.end;
      run.digits += word.digits;
    } else run = { start: word.start, end: word.end, digits: word.digits };
    if (run && run.digits >= fewestPhoneDigits && found.at(-1) !== run) found.push(run);
  }
  return found;
};

const isBlank = (character: string | undefined): boolean =>
  character === undefined || /\s/.test(character);

/** Widens a span to the whitespace around it, but not beyond `from`. */
const widen = (text: string, { start, end }: Span, from: number): Span => {
  let [first, last] = [start, end];
  while (first > from && !isBlank(text[first - 1])) first--;
  while (!isBlank(text[last])) last++;
  return { start: first, end: last };
};

const writtenDot = /^(?:\.|\s+\.\s*|\s*[([{<]\s*\.\s*[)\]}>]\s*)$/;
const blanks = /^[\s()[\]{}<>]*$/;
const schemes = /:\/\/|(?<![\p{L}\p{N}])www\./gu;
const emailSigns = /[\p{L}\p{N}._-]@|@[\p{L}\p{N}]/gu;
const bracketedAts = /[([{<] ?at ?[)\]}>]/g;

/** Finds names with an ending such as `example.com`, `example . com` and `example dot com`, and mail hosts after "at". */
const domains = (text: string, words: Word[]): Span[] => {
  const between = (a: Word, b: Word) => text.slice(a.end, b.start);
  return words.flatMap((word, index) => {
    const [next, afterNext] = [words[index + 1], words[index + 2]];
    if (next && endings.has(next.text) && writtenDot.test(between(word, next)))
      return { start: word.start, end: next.end };
    const isSpoken =
      next?.text === 'dot' &&
      afterNext &&
      spokenEndings.has(afterNext.text) &&
      blanks.test(between(word, next)) &&
      blanks.test(between(next, afterNext));
    if (isSpoken) return { start: word.start, end: afterNext.end };
    const isMailHost =
      next?.text === 'at' &&
      afterNext &&
      mailHosts.has(afterNext.text) &&
      blanks.test(between(next, afterNext));
    return isMailHost ? { start: word.start, end: afterNext.end } : [];
  });
};

/** Widens addresses to whole words, so that the path of a link and the name before an @ are masked too. */
const addresses = (text: string, words: Word[]): Span[] => {
  const signs = [schemes, emailSigns].flatMap((pattern) => spansOf(text, pattern));
  const ats = spansOf(text, bracketedAts).map(({ start, end }) => ({
    start: text[start - 1] === ' ' ? start - 1 : start,
    end: text[end] === ' ' ? end + 1 : end,
  }));
  const found: Span[] = [];
  let from = 0;
  const all = [...signs, ...ats, ...domains(text, words)].sort((a, b) => a.start - b.start);
  for (const span of all) {
    if (span.end <= from) continue;
    const wide = widen(text, { start: Math.max(span.start, from), end: span.end }, from);
    found.push(wide);
    from = wide.end;
  }
  return found;
};

/**
 * Replaces emails, phone numbers and links, also in common disguises such as "olga at example dot com", number words and invisible
 * characters. Takes time linear in the text's length, and masking a masked text changes nothing.
 */
export const maskContacts = (original: string): string => {
  const { text, starts, ends } = fold(original);
  const words = wordsOf(text);
  const spans = [...phones(text, words), ...addresses(text, words)].sort(
    (a, b) => a.start - b.start,
  );
  let masked = '';
  let copied = 0;
  for (const { start, end } of spans) {
    const [from, to] = [starts[start] ?? 0, ends[end - 1] ?? 0];
    if (to <= copied) continue;
    // Two spans without anything between them are masked as one.
    if (from > copied || masked === '') masked += original.slice(copied, from) + maskedContact;
    copied = to;
  }
  return masked + original.slice(copied);
};
