import { fileURLToPath } from 'node:url';

export const retentionFile = fileURLToPath(new URL('../../docs/retention.md', import.meta.url));

const [start, end] = ['<!-- npm run docs:personal-data -->', '<!-- end -->'];

/** Puts the tables between the marks, in their order. */
export function replaceTables(text: string, tables: string[]): string {
  const [before, ...parts] = text.split(start);
  if (parts.length !== tables.length)
    throw new Error(`docs/retention.md has ${parts.length} times ${start}, not ${tables.length}`);
  const filled = parts.map((part, index) => {
    const rest = part.split(end).slice(1).join(end);
    return `\n\n${tables[index]}\n\n${end}${rest}`;
  });
  return [before, ...filled].join(start);
}
