import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { mutants } from './list.ts';
import { fileOf, type Mutant } from './mutant.ts';

/** A copy of the project in which code may be broken: the project itself stays as it is. */
interface PrivateCopy {
  folder: string;
  /** Breaks the code; the returned function mends it. */
  apply(mutant: Mutant): () => void;
  remove(): void;
}

const scope = '@lendtools';
/** What git ignores, an installation brings along, and no mutant breaks. */
const fetched = [
  'infra/mongo-local/lib',
  'node_modules/.cache/mongodb',
  'web/node_modules/@vitejs',
];

/** Broken code is waited for in vain, time after time: not for a minute each. That it is enough, the code as it is shows. */
const patience = fileOf(() => import('../../../packages/testing/src/hangs-after.ts'));

export const makePrivateCopy = (project: string): PrivateCopy => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lendtools-mutants-')));
  for (const file of sourcesOf(project)) cpSync(join(project, file), join(folder, file));
  linkModules(project, folder);
  writeFileSync(join(folder, patience), 'export const hangsAfterMs = 20_000;\n');
  for (const path of fetched.filter((each) => existsSync(join(project, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(project, path), join(folder, path));
  }
  return {
    folder,
    apply(mutant) {
      const changed = mutant.changes.map(({ file }) => join(folder, file));
      for (const file of new Set(changed)) {
        renameSync(file, asItIs(file));
        writeFileSync(file, standIn(folder, file, mutant));
      }
      return () => {
        for (const file of new Set(changed)) renameSync(asItIs(file), file);
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const asItIs = (file: string): string => file.replace(/\.ts$/, '.as-it-is.ts');

/** What everybody imports instead of a file: its exports, with those that the mutant replaces. */
const standIn = (folder: string, file: string, mutant: Mutant): string => {
  const from = (path: string) => `'./${relative(dirname(file), path)}'`;
  const replaced = mutant.changes.flatMap((change, index) =>
    join(folder, change.file) === file
      ? `export const ${change.name} = changes[${index}].by(asItIs);`
      : [],
  );
  return [
    `import * as asItIs from ${from(asItIs(file))};`,
    `import { mutants } from ${from(join(folder, 'e2e/src/mutants/list.ts'))};`,
    `export * from ${from(asItIs(file))};`,
    `const { changes } = mutants[${mutants.indexOf(mutant)}];`,
    ...replaced,
  ].join('\n');
};

/** What git knows or would add, as it is now. */
const sourcesOf = (project: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file && existsSync(join(project, file)));

/** Foreign packages are the project's own; `@lendtools/…` leads to the copy. */
const linkModules = (project: string, folder: string): void => {
  const [from, to] = [join(project, 'node_modules'), join(folder, 'node_modules')];
  const foreign = readdirSync(from).filter((name) => !name.startsWith('.') && name !== scope);
  mkdirSync(join(to, scope), { recursive: true });
  for (const name of [...foreign, '.bin']) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, scope))) {
    const link = join(to, scope, name);
    symlinkSync(readlinkSync(join(from, scope, name)), link);
    // Else the code that runs would be the project's own, unbroken, and every mutant would survive.
    if (!realpathSync(link).startsWith(folder)) throw new Error(`${link} leads out of the copy`);
  }
};
