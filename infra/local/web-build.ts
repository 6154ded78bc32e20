import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from './servers.ts';

const distFolder = join(projectRoot, 'web', 'dist');
const hashFile = join(distFolder, '.built-from');
const skipped = new Set(['dist', 'node_modules', 'coverage', 'test']);

export interface WebApp {
  folder: string;
  choice: string;
}

/** Builds the web app unless it was built from exactly these sources, or `WEB_DIST` names a build. */
export async function buildWebIfStale(say: (line: string) => void): Promise<WebApp> {
  const given = process.env.WEB_DIST;
  if (given) return { folder: resolve(given), choice: 'WEB_DIST' };
  const sources = hashSources([
    join(projectRoot, 'web'),
    join(projectRoot, 'packages', 'contracts'),
    join(projectRoot, 'package-lock.json'),
  ]);
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sources) {
    return { folder: distFolder, choice: 'built already' };
  }
  say('Web app: building');
  await runBuild();
  writeFileSync(hashFile, sources);
  return { folder: distFolder, choice: 'built' };
}

/** One hash over the names and the content of all files, whatever their dates. */
export function hashSources(roots: string[]): string {
  const hash = createHash('sha256');
  for (const root of roots) {
    for (const file of filesUnder(root)) {
      const content = createHash('sha256').update(readFileSync(file)).digest('hex');
      hash.update(`${relative(projectRoot, file)} ${content}\n`);
    }
  }
  return hash.digest('hex');
}

function filesUnder(path: string): string[] {
  const entries = readdirSyncOrNull(path);
  if (!entries) return existsSync(path) ? [path] : [];
  return entries
    .filter((name) => !skipped.has(name) && !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

function readdirSyncOrNull(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}

function runBuild(): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn('npm', ['run', '--silent', '--workspace', 'web', 'build'], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) done();
      else reject(new Error(`The web app can't be built:\n${stripVTControlCharacters(output)}`));
    });
  });
}
