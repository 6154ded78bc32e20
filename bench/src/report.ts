import { cpus, loadavg, release, totalmem } from 'node:os';
import type { Row } from './statistics.ts';

/** The description includes the machine's load, which shows whether other programs run on it. */
export const describeMachine = (): string => {
  const [first] = cpus();
  const load = loadavg()[0]?.toFixed(1);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const system = `Linux ${release()}, Node ${process.versions.node}`;
  return `${cpus().length} × ${first?.model}, ${memory}, ${system}, load ${load} at the start`;
};

export const reportOf = (machine: string, rows: Row[]): string =>
  [
    '# What `npm run bench` measured',
    '',
    `${new Date().toISOString().slice(0, 10)}, ${machine}`,
    '',
    '| row | measured | bound | kept |',
    '|---|---|---|---|',
    ...rows.map(
      (row) => `| ${row.name} | ${row.measured} | ${row.bound} | ${row.kept ? 'yes' : 'no'} |`,
    ),
    '',
  ].join('\n');
