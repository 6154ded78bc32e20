import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { breakText, editsOf, type Mutant } from './mutant.ts';

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

export const makePrivateCopy = (project: string): PrivateCopy => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lendtools-mutants-')));
  for (const file of sourcesOf(project)) cpSync(join(project, file), join(folder, file));
  linkModules(project, folder);
  for (const path of fetched.filter((each) => existsSync(join(project, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(project, path), join(folder, path));
  }
  return {
    folder,
    apply(mutant) {
      const whole = new Map<string, string>();
      for (const edit of editsOf(mutant)) {
        const file = join(folder, edit.file);
        const text = readFileSync(file, 'utf8');
        if (!whole.has(file)) whole.set(file, text);
        writeFileSync(file, breakText(text, edit));
      }
      return () => {
        for (const [file, text] of whole) writeFileSync(file, text);
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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
