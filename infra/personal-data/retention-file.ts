import { fileURLToPath } from 'node:url';

export const retentionFile = fileURLToPath(new URL('../../docs/retention.md', import.meta.url));

const [start, end] = ['<!-- npm run docs:personal-data -->', '<!-- end -->'];

export function replaceTable(text: string, table: string): string {
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/retention.md lacks ${start} … ${end}`);
  return `${text.slice(0, from)}${start}\n\n${table}\n\n${text.slice(to)}`;
}
