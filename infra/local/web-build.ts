import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from './home.ts';

const distFolder = join(projectRoot, 'web', 'dist');
const hashFile = join(distFolder, '.built-from');
const skipped = new Set(['dist', 'node_modules', 'coverage', 'test']);

export interface WebApp {
  choice: string;
}

export function webFolder(): string {
  const given = process.env.WEB_DIST;
  return given ? resolve(given) : distFolder;
}

/** Builds the web app only if its sources have changed. `WEB_DIST` may name an existing build. */
export async function buildWebIfStale(say: (line: string) => void): Promise<WebApp> {
  if (process.env.WEB_DIST) return { choice: 'WEB_DIST' };
  const sources = hashSources([
    join(projectRoot, 'web'),
    join(projectRoot, 'packages', 'contracts'),
    join(projectRoot, 'package-lock.json'),
  ]);
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sources) {
    return { choice: 'built already' };
  }
  say('Web app: building');
  const fresh = await mkdtemp(join(tmpdir(), 'lendtools-web-'));
  try {
    const figures = (await runBuild(fresh)).match(/^First load.*$/m);
    if (figures) say(figures[0]);
    await publishBuild(fresh, distFolder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  writeFileSync(hashFile, sources);
  return { choice: 'built' };
}

const keptAssetsMs = 7 * 86_400_000;

/**
 * Gateways may be serving the old build, so files are renamed into place, the page last. Old assets stay for a week,
 * because open tabs may still load them.
 */
export async function publishBuild(from: string, to: string): Promise<void> {
  const files = (await readdir(from, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)));
  const page = 'index.html';
  for (const file of [...files.filter((name) => name !== page), page]) {
    const target = join(to, file);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from, file), `${target}.next`);
    await rename(`${target}.next`, target);
  }
  for (const name of await readdir(join(to, 'assets'))) {
    const path = join('assets', name);
    const { mtimeMs } = await stat(join(to, path));
    if (!files.includes(path) && Date.now() - mtimeMs > keptAssetsMs) await rm(join(to, path));
  }
}

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

function runBuild(folder: string): Promise<string> {
  return new Promise((done, reject) => {
    const build = ['run', '--silent', '--workspace', 'web', 'build', '--'];
    const child = spawn('npm', [...build, '--outDir', folder, '--emptyOutDir'], {
      cwd: projectRoot,
      // Set NODE_ENV: with `development` or `test`, Vite would bundle React's development build.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-40_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      const said = stripVTControlCharacters(output);
      if (code === 0) done(said);
      else reject(new Error(`The web app can't be built:\n${said.slice(-4000)}`));
    });
  });
}
