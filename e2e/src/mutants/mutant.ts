import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

type Load<M = object> = () => Promise<M>;

/** Replaces an export for every other file. Type-checked by `replace`, so renaming the export is a compile error here. */
export interface Change {
  file: string;
  name: string;
  by: (module: never) => unknown;
}

/** One way to break a guarantee of the system, and the test file that must fail because of it. */
export interface Mutant {
  /** A line of docs/security.md, or another area of guarantees. */
  rule: number | 'events' | 'money' | 'search';
  /** What the broken system does. */
  breaks: string;
  changes: Change[];
  test: Load;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The file that `() => import('…')` names. Reads the function's source and does not import; the compiler checks the path. */
export const fileOf = (load: Load): string => {
  const [, path] = /import\(\s*["'](.+?)["']/.exec(load.toString()) ?? [];
  if (!path) throw new Error(`No import in ${load}`);
  return relative(root, fileURLToPath(new URL(path, import.meta.url)));
};

/** Replaces the export `name` by what `by` returns for the original module. */
export const replace = <M extends object, K extends keyof M & string>(
  load: Load<M>,
  name: K,
  by: (module: M) => M[K],
): Change => ({ file: fileOf(load), name, by });
