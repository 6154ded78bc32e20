import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installDebianPackages, mayInstallDebianPackages } from './debian-packages.ts';
import type { ServerContext } from './home.ts';
import { onPath } from './on-path.ts';

/** The stand-in of last resort, in `infra/mongo-local/`: what it needs to run. */
interface MongoLocal {
  java: string;
}

const folder = new URL('../mongo-local/', import.meta.url).pathname;
const oldestJava = 17;

/** Fetches the jars with Maven when they are missing, and Java and Maven themselves where it may. */
export async function findMongoLocal(context: ServerContext): Promise<MongoLocal> {
  const needsJars = !existsSync(join(folder, 'lib', '.complete'));
  const missing = [
    ...(usableJava() ? [] : ['default-jre-headless']),
    ...(!needsJars || onPath('mvn') ? [] : ['maven']),
  ];
  if (missing.length > 0) {
    if (!mayInstallDebianPackages()) throw new Error(threeWays);
    context.say(`MongoDB: installing the Debian packages ${missing.join(', ')}`);
    await installDebianPackages(missing);
  }
  if (needsJars) {
    context.say('MongoDB: fetching mongo-java-server with Maven');
    await fetchJars();
  }
  const java = usableJava();
  if (!java) throw new Error(threeWays);
  return { java };
}

export function mongoLocalCommand(_local: MongoLocal, dataFolder: string, port: number): string[] {
  return [
    ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError'],
    ...['-cp', join(folder, 'lib', '*'), join(folder, 'MongoLocal.java')],
    ...[join(dataFolder, 'store.mv'), String(port)],
  ];
}

const threeWays =
  'MongoDB is needed, and its own download was refused. Either install MongoDB so that mongod is on ' +
  `PATH, or install Java ${oldestJava} and Maven (apt install default-jre-headless maven), or give the ` +
  'address of a server as MONGO_URL=mongodb://host:27017';

function usableJava(): string | null {
  const java = onPath('java');
  return java && javaVersion(java) >= oldestJava ? java : null;
}

/** The major version of the Java at that path; 0 when it can't be run. */
function javaVersion(java: string): number {
  try {
    const version = execFileSync(java, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/^\w+ (\d+)/.exec(version)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function fetchJars(): Promise<void> {
  const run = promisify(execFile);
  const script = new URL('./fetch-mongo-local.mjs', import.meta.url).pathname;
  await run(process.execPath, [script]);
}
