import { execFileSync } from 'node:child_process';
import { relative, sep } from 'node:path';
import { projectRoot } from './home.ts';

export const partNames = ['lint', 'types', 'node', 'web', 'browser'] as const;

export type Part = (typeof partNames)[number];

interface Selection {
  parts: Part[];
  jestOptions: string[];
}

/** With `--quick`, only this service's tests run: no service has fewer, and they use a database, a broker and an inbox. */
const quickService = 'messaging';

/** @throws Error if a part or option is unknown */
export function selectTests(args: string[], jest: string[]): Selection {
  const [option] = args;
  if (args.length === 1 && option === '--quick')
    return {
      parts: ['lint', 'types', 'node'],
      jestOptions: ['--testPathPatterns', '/src/domain/', `services/${quickService}/`],
    };
  if (args.length === 1 && option === '--changed') return selectChanged(jest);
  const unknown = args.filter((arg) => !isPart(arg));
  if (unknown.length > 0) throw new Error(`Unknown part: ${unknown.join(', ')}.`);
  return { parts: args.length === 0 ? [...partNames] : args.filter(isPart), jestOptions: [] };
}

/** Selects the tests that import a file that differs from main, committed or not. */
function selectChanged(jest: string[]): Selection {
  const list = execFileSync(process.execPath, [...jest, '--listTests', '--changedSince', 'main'], {
    cwd: projectRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const files = list.split('\n').filter(Boolean);
  const parts = new Set<Part>(['lint', 'types', ...files.map(partOf)]);
  return { parts: [...parts], jestOptions: ['--runTestsByPath', ...files, '--passWithNoTests'] };
}

function partOf(file: string): Part {
  if (file.endsWith('.journey.ts')) return 'browser';
  return relative(projectRoot, file).startsWith(`web${sep}`) ? 'web' : 'node';
}

function isPart(arg: string): arg is Part {
  return partNames.some((part) => part === arg);
}
