import type { ListTotal } from '@lendtools/contracts';

/** The subtitle of an admin list, such as `12 in total, newest first.` */
export function totalInWords({ total, isTotalCapped }: ListTotal = {}): string | undefined {
  if (total === undefined) return undefined;
  const count = total.toLocaleString('en-US');
  return `${isTotalCapped ? `More than ${count}` : `${count} in total`}, newest first.`;
}
