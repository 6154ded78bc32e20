import { topicWords } from '@lendtools/contracts/topic-words';
import type { EmailContent } from './email-content.ts';
import type { Unsubscribe } from './layout.ts';

const longestRule = 60;

const columns = (facts: [string, string][]): string => {
  const indent = Math.max(...facts.map(([label]) => label.length)) + 3;
  return facts
    .map(([label, value]) => {
      const below = value.split(/\r?\n/).join(`\n${' '.repeat(indent)}`);
      return `${`${label}:`.padEnd(indent)}${below}`;
    })
    .join('\n');
};

/** For text-only readers and screen readers. The email program wraps lines, because fixed 72 columns look ragged on a phone. */
export const plainText = (email: EmailContent, site: string, unsubscribe?: Unsubscribe): string =>
  [
    `${email.heading}\n${'='.repeat(Math.min(email.heading.length, longestRule))}`,
    ...email.paragraphs,
    ...(email.facts?.length ? [columns(email.facts)] : []),
    `${email.button.label}:\n${email.button.url}`,
    ...(email.link ? [`${email.link.label}:\n${email.link.url}`] : []),
    ...(email.footnote ? [email.footnote] : []),
    `-- \nLendTools: Rent & Lend Tools in Your Neighborhood\n${site}`,
    ...(unsubscribe
      ? [`Stop emails about ${topicWords[unsubscribe.topic]}:\n${unsubscribe.url}`]
      : []),
  ].join('\n\n');
