/**
 * `npm run lighthouse`: prints Lighthouse's four scores of the landing screens on a phone, the median of three runs. Exits
 * with 1 below 90 for performance or 100 for the others. Needs a marketplace (`npm start`, or one selected by
 * TEST_RUN_FILE) on an otherwise idle machine, and a full Chromium: Debian's package `chromium`, which the tests do not
 * install, or CHROME_PATH.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { marketplace } from './src/marketplace.ts';

const runs = 3;
const least = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 };
type Category = keyof typeof least;
const categories = Object.keys(least) as Category[];

const usage = `npm run lighthouse -- [screen …]
  all screens, or only some of: home, browse, tool, login`;
const asked = readCommandLine(usage, (args) => args);

interface Report {
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
}

const lighthouse = async (url: string): Promise<Report> => {
  // Written to a file: Lighthouse exits before a long report has passed through a pipe.
  const file = path.join(tmpdir(), `lighthouse-${process.pid}.json`);
  const child = spawn(
    'npx',
    [
      ...['--no-install', 'lighthouse', url, '--quiet', '--output=json', `--output-path=${file}`],
      ...[`--only-categories=${categories}`, '--chrome-flags=--headless=new --no-sandbox'],
      '--no-enable-error-reporting',
    ],
    {
      env: { CHROME_PATH: '/usr/bin/chromium', ...process.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const [errors] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (!existsSync(file)) throw new Error(`Lighthouse wrote no report of ${url}:\n${errors}`);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(file);
  return report;
};

const median = (numbers: number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** The audits that lowered a score, with their values. */
const losses = ({ categories: all, audits }: Report): string[] =>
  categories.flatMap((category) =>
    all[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${category}: ${audits[id]?.title} ${audits[id]?.displayValue ?? ''}`),
  );

const { site } = marketplace();
const { rentals } = (await (await fetch(`${site}/api/all-rentals?limit=1`)).json()) as {
  rentals: { id: string }[];
};
const screens: Record<string, string> = {
  home: '/',
  browse: '/home?q=drill',
  tool: `/rental-details?id=${rentals[0]?.id}`,
  login: '/user-login',
};

let isGood = true;
for (const [name, path] of Object.entries(screens)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const reports: Report[] = [];
  for (let run = 0; run < runs; run++) reports.push(await lighthouse(site + path));
  const scores = categories.map((category) => ({
    category,
    score: Math.round(100 * median(reports.map((report) => report.categories[category].score))),
  }));
  const line = scores.map(({ category, score }) => `${category} ${score}`).join(', ');
  console.log(`${name}: ${line} (load ${loadavg()[0]?.toFixed(1)})`);
  if (scores.every(({ category, score }) => score >= least[category])) continue;
  isGood = false;
  for (const loss of new Set(reports.flatMap(losses))) console.log(`  ${loss}`);
}
process.exit(isGood ? 0 : 1);
