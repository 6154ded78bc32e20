import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { copyProject } from '@lendtools/local/test/project-copy';
import { mutants } from './list.ts';
import { fileOf, type Mutant } from './mutant.ts';

/** A copy of the project in which code can be broken safely. */
interface PrivateCopy {
  folder: string;
  /** Applies a mutant; the returned function reverts it. */
  apply(mutant: Mutant): () => void;
  remove(): void;
}

const timeouts = fileOf(() => import('../../../packages/testing/src/hangs-after.ts'));

/** Tests of broken code often time out, so the timeout is shortened. The run of the unbroken code shows that it suffices. */
const shortenTimeouts = (file: string): void => {
  const [whole, shortened] = [readFileSync(file, 'utf8'), 'hangsAfterMs = 20_000'];
  const text = whole.replace(/hangsAfterMs = [\d_]+/, shortened);
  if (!text.includes(shortened)) throw new Error(`${file} has no hangsAfterMs to shorten`);
  writeFileSync(file, text);
};

export const makePrivateCopy = (project: string): PrivateCopy => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lendtools-mutants-')));
  copyProject(project, folder);
  shortenTimeouts(join(folder, timeouts));
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

/** The code of the module that takes a file's place: its exports, some replaced by the mutant. */
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
