import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installDebianPackages, mayInstallDebianPackages } from './debian-packages.ts';
import { projectRoot, type ServerContext } from './home.ts';
import { javaVersion } from './machine.mjs';
import { onPath } from './on-path.ts';
import { neededJava } from './prerequisites.mjs';

interface JavaServer {
  /** The folder in infra/ with the server's pom.xml. */
  folder: string;
  need: string;
  name: string;
  /** The error message if Java or Maven is missing and can't be installed. */
  otherwise: string;
}

/** Finds Java and fetches the server's missing jars with Maven. Installs Java and Maven if allowed. */
export function findJava(context: ServerContext, server: JavaServer): Promise<string> {
  const found = before.then(() => find(context, server));
  before = found.catch(() => {});
  return found;
}

/** One call at a time, because concurrent runs would corrupt Maven's local repository. */
let before: Promise<unknown> = Promise.resolve();

async function find(
  context: ServerContext,
  { folder, need, name, otherwise }: JavaServer,
): Promise<string> {
  const needsJars = !existsSync(join(jarsOf(folder), '.complete'));
  const missing = [
    ...(usableJava() ? [] : ['default-jre-headless']),
    ...(!needsJars || onPath('mvn') ? [] : ['maven']),
  ];
  if (missing.length > 0) {
    if (!mayInstallDebianPackages()) throw new Error(otherwise);
    context.say(`${need}: installing the Debian packages ${missing.join(', ')}`);
    await installDebianPackages(missing);
  }
  if (needsJars) {
    context.say(`${need}: fetching ${name} with Maven`);
    const script = fileURLToPath(new URL('./fetch-jars.mjs', import.meta.url));
    await promisify(execFile)(process.execPath, [script, folder]);
  }
  const java = usableJava();
  if (!java) throw new Error(otherwise);
  return java;
}

export function jarsOf(folder: string): string {
  return join(projectRoot, 'infra', folder, 'lib');
}

function usableJava(): string | null {
  return javaVersion() >= neededJava ? onPath('java') : null;
}
