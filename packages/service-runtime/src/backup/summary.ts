import type { Manifest } from './stores.ts';

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

export const summaryOf = ({ takenAt, postgres, mongo, pictures }: Manifest): string =>
  [
    `Backup of ${takenAt}`,
    ...Object.entries(postgres).map(
      ([name, { tables }]) => `${sum(tables.map(({ rows }) => rows))}\trows of ${name}`,
    ),
    ...Object.entries(mongo).map(
      ([name, counts]) => `${sum(Object.values(counts))}\tdocuments of ${name}`,
    ),
    ...Object.entries(pictures).map(([name, count]) => `${count}\tfiles of pictures of ${name}`),
  ].join('\n');
