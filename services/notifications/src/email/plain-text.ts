import type { Letter } from './layout.ts';

const longestRule = 60;

/** In two columns; what takes several lines goes on below its first. */
const columns = (facts: [string, string][]): string => {
  const indent = Math.max(...facts.map(([label]) => label.length)) + 3;
  return facts
    .map(([label, value]) => {
      const below = value.split(/\r?\n/).join(`\n${' '.repeat(indent)}`);
      return `${`${label}:`.padEnd(indent)}${below}`;
    })
    .join('\n');
};

/**
 * The part for who reads e-mails as text, or has them read aloud. A paragraph is one line, which the mail program breaks
 * where its window ends: one broken at 72 columns is ragged on a phone.
 */
export const plainText = (letter: Letter, site: string): string =>
  [
    `${letter.heading}\n${'='.repeat(Math.min(letter.heading.length, longestRule))}`,
    ...letter.paragraphs,
    ...(letter.facts?.length ? [columns(letter.facts)] : []),
    `${letter.button.label}:\n${letter.button.url}`,
    ...(letter.footnote ? [letter.footnote] : []),
    `-- \nLendTools: Rent & Lend Tools in Your Neighborhood\n${site}`,
  ].join('\n\n');
